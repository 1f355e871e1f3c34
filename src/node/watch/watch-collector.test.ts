import { expect, test } from 'vitest';
import { limits } from '../../base/limits.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { WatchReport } from '../../engine/ports/ports.ts';
import { makeWatchCollector, type WatchSink } from './watch-collector.ts';

/** What is sent, and how often the watches were set anew before, after these calls. */
function collected(tell: (sink: WatchSink) => void): { reports: WatchReport[]; renewed: number } {
  const reports: WatchReport[] = [];
  let renewed = 0;
  const collector = makeWatchCollector({
    send: (report) => reports.push(report),
    renew: () => {
      expect(reports).toEqual([]); // Watches first: nothing may fall between.
      renewed += 1;
    },
  });
  tell(collector);
  collector.sendNow();
  collector.sendNow();
  return { reports, renewed };
}

const path = (i: number) => vaultPath(`${i}.md`);
const times = (count: number, call: (i: number) => void) => {
  for (let i = 0; i < count; i++) call(i);
};

test.each<[string, (sink: WatchSink) => void, { reports: WatchReport[]; renewed: number }]>([
  ['nothing is not reported', () => {}, { reports: [], renewed: 0 }],
  [
    'events about nothing are not reported',
    (sink) => times(10, sink.heard),
    { reports: [], renewed: 0 },
  ],
  [
    'a file is reported once',
    (sink) => times(3, () => sink.changed(path(1))),
    { reports: [{ paths: [path(1)], folders: [], reconcile: false }], renewed: 0 },
  ],
  [
    'a folder is reported once, beside files',
    (sink) => {
      times(2, () => sink.folder(path(2)));
      sink.changed(path(1));
    },
    { reports: [{ paths: [path(1)], folders: [path(2)], reconcile: false }], renewed: 0 },
  ],
  [
    'many folders are a reconcile, but no burst',
    (sink) => times(limits.watchFoldersMax + 1, (i) => sink.folder(path(i))),
    { reports: [{ paths: [], folders: [], reconcile: true }], renewed: 0 },
  ],
  [
    'watches that are outdated many times are set anew once, and then it is a reconcile',
    (sink) => times(1_000, () => sink.outdated()),
    { reports: [{ paths: [], folders: [], reconcile: true }], renewed: 1 },
  ],
  [
    'what is unknown is a reconcile, and names are kept',
    (sink) => {
      sink.unsure();
      sink.changed(path(1));
    },
    { reports: [{ paths: [path(1)], folders: [], reconcile: true }], renewed: 0 },
  ],
  [
    'many files are reported by name',
    (sink) => times(limits.watchBurstPaths, (i) => sink.changed(path(i))),
    {
      reports: [
        {
          paths: Array.from({ length: limits.watchBurstPaths }, (_, i) => path(i)),
          folders: [],
          reconcile: false,
        },
      ],
      renewed: 0,
    },
  ],
  [
    'one more is a burst: everything is looked at and watched anew',
    (sink) => times(limits.watchBurstPaths + 1, (i) => sink.changed(path(i))),
    { reports: [{ paths: [], folders: [], reconcile: true }], renewed: 1 },
  ],
  [
    'many events about few files are a burst too: others may have been dropped',
    (sink) => {
      times(5_000, sink.heard);
      sink.changed(path(1));
    },
    { reports: [{ paths: [], folders: [], reconcile: true }], renewed: 1 },
  ],
])('%s', (_, tell, expected) => {
  expect(collected(tell)).toEqual(expected);
});

test('a report is sent by itself once it is quiet', async () => {
  const report = await new Promise<WatchReport>((send) => {
    makeWatchCollector({ send, renew: () => {} }).changed(path(1));
  });
  expect(report).toEqual({ paths: [path(1)], folders: [], reconcile: false });
});

test('a report is sent although it never gets quiet', async () => {
  let stop = false;
  const report = new Promise<WatchReport>((send) => {
    const collector = makeWatchCollector({ send, renew: () => {} });
    const go = () => {
      collector.changed(path(1));
      if (!stop) setImmediate(go);
    };
    go();
  });
  expect((await report).paths).toEqual([path(1)]);
  stop = true;
});
