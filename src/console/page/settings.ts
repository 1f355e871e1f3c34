import { signal } from '@preact/signals';

/** How the owner likes the page. Nobody would send this to a friend, so it is not in the address. */
interface Settings {
  readonly diff: 'words' | 'lines';
  readonly singleKeys: boolean;
}

// The number grows when the shape changes; what an older page has kept is then left alone.
const stored = 'vaultdoor-settings-1';
const standard: Settings = { diff: 'words', singleKeys: true };

export const settings = signal<Settings>(kept());

/** Changes some settings, and keeps them in this browser. */
export function changeSettings(some: Partial<Settings>): void {
  settings.value = { ...settings.peek(), ...some };
  localStorage.setItem(stored, JSON.stringify(settings.peek()));
}

function kept(): Settings {
  try {
    const { diff, singleKeys } = JSON.parse(localStorage.getItem(stored) ?? '{}');
    return { diff: diff === 'lines' ? 'lines' : 'words', singleKeys: singleKeys !== false };
  } catch {
    return standard;
  }
}
