import { limits } from '../../base/limits.ts';
import { counted } from '../../tools/cli/text.ts';
import type { SeenVault } from './doctor-vaults.ts';
import { bad, type Finding, known, ok, said, warning } from './finding.ts';

/** No clock can be right that is before the day on which this was written. */
const writtenMs = Date.UTC(2026, 10, 17);

/** Whether the clock of this machine is plainly wrong: it is behind the program or behind files. */
export function examineClock(vaults: readonly SeenVault[], nowMs: number): readonly Finding[] {
  const set = said`Set the clock by the network ("timedatectl set-ntp true" with systemd). By the clock, codes and tokens end, and changes are sorted.`;
  const now = known(new Date(nowMs).toISOString().slice(0, 16).replace('T', ' '));
  if (nowMs < writtenMs) {
    return [
      bad('clock', said`It shows ${now} UTC, which is before this program was written.`, set),
    ];
  }
  const files = vaults.flatMap(({ name, look }) => {
    const future = 'fault' in look ? 0 : (look.tree?.future ?? 0);
    if (future === 0) return [];
    const many = known(counted(future, 'file'));
    const minutes = limits.doctorClockMs / 60_000;
    return [
      warning(
        'clock',
        said`It shows ${now} UTC, but ${name} has ${many} with a time that is more than ${minutes} minute later. Either this clock is behind, or that of the machine on which they were changed was ahead.`,
        set,
      ),
    ];
  });
  if (files.length > 0) return files;
  return [ok('clock', said`It shows ${now} UTC, and no file is from the future.`)];
}
