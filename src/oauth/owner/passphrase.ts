import { limits } from '../../base/limits.ts';

/**
 * Why a new passphrase is refused, as a sentence; undefined when it is good enough. `names` are the
 * names of the server's hosts. There are no rules about digits and signs: length is what counts.
 */
export function passphraseProblem(
  passphrase: string,
  names: readonly string[],
): string | undefined {
  const { passphraseCharsMin, passphraseBytesMax } = limits;
  const folded = foldPassphrase(passphrase);
  if (folded === undefined) {
    return `The passphrase must not be longer than ${passphraseBytesMax} bytes.`;
  }
  const characters = [...folded];
  if (characters.length < passphraseCharsMin) {
    return `The passphrase must have at least ${passphraseCharsMin} characters. A few words that do not belong together are easy to remember and hard to guess.`;
  }
  const plain = folded.toLowerCase();
  if (new Set(characters).size === 1 || common.has(plain.replace(/[^\p{L}\p{N}]/gu, ''))) {
    return 'This passphrase is one of the first that anybody would try; choose another.';
  }
  if (names.some((name) => name.toLowerCase() === hostIn(plain))) {
    return 'The passphrase must not be the name of the server; choose another.';
  }
  return undefined;
}

/**
 * A passphrase as it is hashed: the same for every way in which keyboards write its characters.
 * Undefined when it is too long.
 */
export function foldPassphrase(passphrase: string): string | undefined {
  // Looked at before it is folded as well: NFKC can make a text eighteen times as long.
  if (passphrase.length > limits.passphraseBytesMax) return undefined;
  const folded = passphrase.normalize('NFKC');
  const { length } = new TextEncoder().encode(folded);
  return length > limits.passphraseBytesMax ? undefined : folded;
}

/** What stands for the host in an address that was typed as a passphrase. */
function hostIn(text: string): string {
  return text
    .trim()
    .replace(/^https?:\/\//, '')
    .replace(/\/(mcp\/?)?$/, '');
}

/** Without spaces and signs, in lower case. Shorter ones are refused for their length. */
const common: ReadonlySet<string> = new Set([
  '012345678901',
  '098765432109',
  '111111222222',
  '112233445566',
  '121212121212',
  '123123123123',
  '123412341234',
  '123456123456',
  '123456654321',
  '1234567890123',
  '12345678901234',
  '123456789012345',
  '1234567890123456',
  '12345678901234567890',
  '123456789012',
  '123456789abc',
  '123456789qwe',
  '123456qwerty',
  '1q2w3e4r5t6y',
  '1q2w3e4r5t6y7u8i',
  '1qaz2wsx3edc',
  '1qaz2wsx3edc4rfv',
  '987654321098',
  'abc123abc123',
  'abcabcabcabc',
  'abcd1234abcd',
  'abcdefghijkl',
  'abcdefghijklm',
  'abcdefghijklmnop',
  'abcdefghijklmnopqrstuvwxyz',
  'administrator',
  'administrator1',
  'adminadminadmin',
  'asdfasdfasdf',
  'asdfghjklasdf',
  'changemechangeme',
  'changemenow123',
  'changeme1234',
  'correcthorsebatterystaple',
  'dragondragon',
  'hellohello123',
  'iloveyou1234',
  'iloveyouiloveyou',
  'iloveyousomuch',
  'letmeinletmein',
  'letmein12345',
  'letmeinplease',
  'masterpassword',
  'mypassphrase',
  'mypassword123',
  'mysecretpassphrase',
  'mysecretpassword',
  'obsidianmd123',
  'obsidianobsidian',
  'obsidianvault',
  'passphrase12',
  'passphrase123',
  'passphrase1234',
  'passphrasepassphrase',
  'password1234',
  'password12345',
  'password123456',
  'password123456789',
  'password123password',
  'passwordpassword',
  'passwort1234',
  'passwortpasswort',
  'qazwsxedcrfv',
  'qwerty123456',
  'qwerty12345678',
  'qwertyqwerty',
  'qwertyuiop12',
  'qwertyuiop123',
  'qwertyuiopasdfghjkl',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiop12',
  'qwertzuiop123',
  'secretpassword',
  'secretsecret',
  'superadmin123',
  'thisismypassword',
  'trustno1trustno1',
  'vaultdoor1234',
  'vaultdoorpassword',
  'vaultdoorvaultdoor',
  'welcome12345',
  'welcome123456',
  'welcomewelcome',
  'zxcvbnmasdfghjkl',
]);
