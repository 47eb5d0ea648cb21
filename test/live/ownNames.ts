/** The names of what the command makes begin with it, so that what could not be deleted is found. */
export const FOLDER_PREFIX = 'n8n-live-';
