import { alphanumerics, makeApiKey } from './ids';
import type { ServiceData, UserRecord } from './records';
import type { ReleaseTraits } from './releases';

export interface Account {
	user: UserRecord;
	/** null for a user who has signed up and is on no platform yet */
	platform: ServiceData | null;
	password: string;
	/** how often the password was changed: tokens of earlier versions are revoked */
	tokenVersion: number;
	verified: boolean;
	deleted: boolean;
	/** ms since 1970 of the last request with one of the tokens */
	lastActive: number | null;
}

interface Session {
	account: Account;
	tokenVersion: number;
	/** seconds since 1970 */
	exp: number;
	/** The only project of a token of 0.73 */
	projectId: string | undefined;
}

const LIFETIME = 604_800;

/** The default password of accounts. */
const PASSWORD = 'Passw0rd!Passw0rd';

export class Sessions {
	readonly accounts: Account[] = [];
	private readonly sessions = new Map<string, Session>();
	private issued = 0;

	constructor(
		private readonly traits: ReleaseTraits,
		private readonly clock: () => number,
	) {}

	add(user: UserRecord, platform: ServiceData): Account {
		const fresh = { tokenVersion: 0, verified: true, deleted: false, lastActive: null };
		const account = { user, platform, password: PASSWORD, ...fresh };
		this.accounts.push(account);
		return account;
	}

	/** A new token of the account, issued some seconds `ago`; earlier ones stay valid. */
	issue(account: Account, { ago = 0, tokenVersion = account.tokenVersion } = {}): string {
		const { user, platform } = account;
		const iat = Math.floor(this.clock() / 1000) - ago;
		const exp = iat + LIFETIME;
		const projectId = this.traits.old ? firstProject(account) : undefined;
		const payload = {
			id: user.id,
			type: platform ? 'USER' : 'ONBOARDING',
			...(projectId === undefined ? {} : { projectId }),
			platform: platform ? { id: platform.platformId } : null,
			tokenVersion: alphanumerics(`${user.id}/version`, tokenVersion + 1, 21),
			iat,
			exp,
			iss: 'activepieces',
		};
		const head = encoded({ alg: 'HS256', typ: 'JWT', kid: '1' });
		const token = `${head}.${encoded(payload)}.${alphanumerics('signature', this.issued++, 43)}`;
		this.sessions.set(token, { account, tokenVersion, exp, projectId });
		return token;
	}

	/** The session of a token, 'invalid' (malformed, expired, unknown user) or 'revoked'. */
	open(token: string): Session | 'invalid' | 'revoked' {
		const session = this.sessions.get(token);
		if (!session || session.account.deleted || session.exp <= this.clock() / 1000) return 'invalid';
		const { account, tokenVersion } = session;
		const isCurrent = tokenVersion === account.tokenVersion && account.verified;
		if (!isCurrent || account.user.status !== 'ACTIVE') return 'revoked';
		account.lastActive = this.clock();
		return session;
	}

	/** Ends all sessions, as if seven days had passed. */
	expireAll(): void {
		for (const session of this.sessions.values()) session.exp = 0;
	}

	/** Ends all sessions, as a change of the password does. */
	revokeAll(): void {
		for (const account of this.accounts) account.tokenVersion++;
	}

	/** A credential of each kind for a platform. */
	tokensOf(admin: Account, member: Account) {
		const token = this.issue(admin);
		const gone = { ...member, deleted: true };
		return {
			admin: token,
			/** Of a user with platformRole MEMBER */
			member: this.issue(member),
			/** With a valid signature */
			expired: this.issue(admin, { ago: 2 * LIFETIME }),
			/** With an invalid signature */
			garbled: `${token.slice(0, -8)}spoilt00`,
			/** A new password ended it */
			revoked: this.issue(admin, { tokenVersion: -1 }),
			deletedUser: this.issue(gone),
			/** In the format of an API key, but unknown */
			wrongKey: makeApiKey('nobody'),
		};
	}
}

/** The project that a person sees after signing in: their own, else the platform's first. */
export function firstProject({
	user,
	platform,
}: Pick<Account, 'user' | 'platform'>): string | undefined {
	const own = platform?.projects.find(
		({ type, ownerId }) => type === 'PERSONAL' && ownerId === user.id,
	);
	return (own ?? platform?.projects[0])?.id;
}

function encoded(value: unknown): string {
	return Buffer.from(JSON.stringify(value)).toString('base64url');
}
