import type { IDataObject } from 'n8n-workflow';

import { isStatus } from './httpStatus';
import { type ApiResponse, isServiceRefusal } from './response';

/** Whether the service itself refused the credential. */
export const isCredentialRefused = (response: ApiResponse): boolean =>
	isStatus(response.status, 'unauthorized') && isServiceRefusal(response);

/**
 * Whether a server says that it is the Community edition, which has no API keys and refuses one as any
 * other wrong key (recorded).
 */
export const isCommunity = ({ EDITION: edition }: IDataObject): boolean => edition === 'ce';
