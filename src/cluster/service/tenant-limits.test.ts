import { expect, it } from 'vitest';
import { clusterLimits } from '../../base/door-limits.ts';
import { TenantLimits } from './tenant-limits.ts';

const { callsPerTokenMax, callsPerMinuteMax, callBytesPerMinuteMax, vaultTimes } = clusterLimits;

function limits() {
  const clock = { nowMs: 0 };
  return { clock, limits: new TenantLimits(() => clock.nowMs) };
}

const busy = (retryAfterMs: number) =>
  expect.objectContaining({ code: 'busy', details: { retryAfterMs } });

it('a token has at most so many calls running, and another token is not held up', () => {
  const { limits: tenants } = limits();
  const ends = Array.from({ length: callsPerTokenMax }, () =>
    tenants.begin({ token: 'a', vault: 1 }),
  );
  expect(() => tenants.begin({ token: 'a', vault: 2 })).toThrow(busy(clusterLimits.retryAfterMs));
  tenants.begin({ token: 'b', vault: 1 })(0);
  ends[0]?.(0);
  tenants.begin({ token: 'a', vault: 2 });
});

it('a token has at most so many calls in a minute, and is told when the next minute begins', () => {
  const { clock, limits: tenants } = limits();
  for (let nr = 0; nr < callsPerMinuteMax; nr++) tenants.begin({ token: 'a', vault: nr })(1);
  clock.nowMs = 20_000;
  expect(() => tenants.begin({ token: 'a', vault: 1 })).toThrow(busy(40_000));
  clock.nowMs = 60_000;
  tenants.begin({ token: 'a', vault: 1 })(1);
});

it('counts bytes, too', () => {
  const { limits: tenants } = limits();
  tenants.begin({ token: 'a', vault: 1 })(callBytesPerMinuteMax);
  expect(() => tenants.begin({ token: 'a', vault: 2 })).toThrow(busy(60_000));
  tenants.begin({ token: 'b', vault: 1 });
});

it('a vault has four times as much as a token', () => {
  const { limits: tenants } = limits();
  for (let nr = 0; nr < callsPerTokenMax * vaultTimes; nr++) {
    tenants.begin({ token: `${nr}`, vault: 1 });
  }
  expect(() => tenants.begin({ token: 'x', vault: 1 })).toThrow(busy(clusterLimits.retryAfterMs));
  tenants.begin({ token: 'x', vault: 2 });
});
