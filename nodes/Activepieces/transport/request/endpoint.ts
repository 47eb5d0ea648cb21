import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { ResponseKind } from '../errors/kinds';
import type { StatusName } from '../response/httpStatus';

/** Where other releases or editions have an endpoint. */
export interface MovedTo {
	path: string;
	query?: IDataObject;
	/** Whether that place is asked first: the contract's may still answer, but to another question */
	isFirst?: boolean;
	/** What servers answer there that do not have it: they take the end of the path for an id (recorded) */
	absentStatus?: StatusName;
	/** Whether it is asked, too, when a session for one project is refused: that of a user who is no admin */
	isForOwnProject?: boolean;
}

/** A path of the API with its method, as the contract writes it: `/v1/folders/{id}`. */
export interface Endpoint {
	method: IHttpRequestMethods & ('GET' | 'POST' | 'DELETE');
	path: string;
	movedTo?: MovedTo;
	/** Whether the record in the answer may be another one than the one named */
	mayAnswerWithNewRecord?: boolean;
	/** What responses mean here that mean something else at other endpoints */
	means?: Partial<Record<ResponseKind, ResponseKind>>;
	/** Whether some releases hand on what the vendor's Cloud answers */
	mayHandOnCloud?: boolean;
	/** Part of a plan that messages of a 402, and of a 404, name, for example "global connections" */
	feature?: string;
}

/** The words in which messages speak of a request. */
export interface RequestSubject {
	/** The thing asked for, for example "folder" or "flows" */
	noun: string;
	/** Display name of the field that names the thing, for example "Folder" */
	field?: string;
	/** Display names of the fields by the query parameters that they are sent as */
	labels?: Record<string, string>;
	/** The name that is being given to the thing */
	newName?: string;
	/** What may keep the service from answering in time */
	delayedBy?: string;
	/** What the thing lies in, when that was named by id, for example the project of flows */
	within?: {
		noun: string;
		id: string;
		name?: string;
		/** How many of them are read side by side; nothing when the person named this one */
		of?: number;
	};
}
