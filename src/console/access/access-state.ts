import { signal } from '@preact/signals';
import type {
  CreateTokenAnswer,
  CreateTokenRequest,
  GrantsAnswer,
  OpenSessionsAnswer,
  PasskeyRow,
  PasskeysAnswer,
  TokensAnswer,
} from '../../doors/console/console-wire.ts';
import { type ApiFailure, asFailure, get, keepKey, post, remove } from '../page/api.ts';
import { postConfirmed } from '../page/passkey.ts';
import { showToast } from '../page/toast-state.ts';
import { accessStrings } from '../words/access-strings.ts';

/** Who may come in, and who is in; undefined until the server has answered. */
interface Access {
  readonly tokens: TokensAnswer['tokens'];
  readonly grants: GrantsAnswer['grants'];
  readonly sessions: OpenSessionsAnswer['sessions'];
  readonly passkeys: PasskeysAnswer['passkeys'];
}

export const access = signal<Access | undefined>(undefined);
export const accessFailure = signal<ApiFailure | undefined>(undefined);
/** The token that was made last. It is shown once, and is gone when the page is left. */
export const madeToken = signal<CreateTokenAnswer | undefined>(undefined);

/** Asks who may come in, and who is in. */
export async function loadAccess(): Promise<void> {
  try {
    const [{ tokens }, { grants }, { sessions }, { passkeys }] = await Promise.all([
      get<TokensAnswer>('/tokens'),
      get<GrantsAnswer>('/grants'),
      get<OpenSessionsAnswer>('/open-sessions'),
      get<PasskeysAnswer>('/passkeys'),
    ]);
    access.value = { tokens, grants, sessions, passkeys };
    accessFailure.value = undefined;
  } catch (error) {
    accessFailure.value = asFailure(error);
  }
}

/** Makes a token. Rejects with an `ApiFailure`. */
export async function createToken(request: CreateTokenRequest): Promise<CreateTokenAnswer> {
  const made = await post<CreateTokenAnswer>('/tokens', request);
  void loadAccess();
  return made;
}

/** Revokes a token, ends a connection or a session, and says so. */
export async function end(
  what: 'tokens' | 'grants' | 'open-sessions',
  id: string,
  said: string,
): Promise<void> {
  try {
    await remove(`/${what}/${encodeURIComponent(id)}`);
    if (madeToken.peek()?.kept.id === id) madeToken.value = undefined;
    showToast({ text: [said] });
  } catch (error) {
    const failure = asFailure(error);
    if (failure !== undefined) showToast({ text: [failure.message] });
  }
  await loadAccess();
}

/** Removes a passkey, which asks for one first. Rejects with an `ApiFailure`. */
export async function removePasskey({ id, name }: PasskeyRow): Promise<void> {
  await postConfirmed('/passkeys/remove', { id });
  showToast({ text: [accessStrings.passkeyRemoved(name)] });
  void loadAccess();
}

/** Signs out here, or in every open console. */
export async function signOut(everywhere: boolean): Promise<void> {
  await post('/sign-out', { everywhere }).catch(() => undefined);
  keepKey(undefined);
}
