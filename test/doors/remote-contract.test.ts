import { describe, it } from 'vitest';
import { remoteAnswerCases } from '../contract/remote-answer-cases.ts';
import { remoteEnvelopeCases } from '../contract/remote-envelope-cases.ts';
import { remoteEventCases } from '../contract/remote-event-cases.ts';
import { remoteFolderCases } from '../contract/remote-folder-cases.ts';
import { remoteFramingCases } from '../contract/remote-framing-cases.ts';
import { remoteMovingCases } from '../contract/remote-moving-cases.ts';
import { remotePathCases } from '../contract/remote-path-cases.ts';
import { remoteReadingCases } from '../contract/remote-reading-cases.ts';
import { remoteThumbnailCases } from '../contract/remote-thumbnail-cases.ts';
import { remoteWritingCases } from '../contract/remote-writing-cases.ts';
import { runRemoteCase } from '../contract/run-remote-case.ts';
import { runRemoteEventCase } from '../contract/run-remote-event-case.ts';

const groups = {
  'section 1.1: framing': remoteFramingCases,
  'sections 1.2, 1.3 and 5': remoteEnvelopeCases,
  'sections 0 and 2.1: paths': remotePathCases,
  'section 2.2: reading': remoteReadingCases,
  'sections 2.2 and 2.4: writing': remoteWritingCases,
  'section 2.2: making and removing': remoteFolderCases,
  'section 2.2: moving': remoteMovingCases,
  'large answers, and additions': remoteAnswerCases,
  'section 2.3: thumbnails': remoteThumbnailCases,
};

describe('the remote protocol, row by row', () => {
  for (const [name, cases] of Object.entries(groups)) {
    describe(name, () => {
      it.each(cases.map((one) => [one.row, one] as const))('%s', (_row, one) => runRemoteCase(one));
    });
  }

  describe('section 3: notifications', () => {
    it.each(remoteEventCases.map((one) => [one.row, one] as const))('%s', (_row, one) =>
      runRemoteEventCase(one),
    );
  });
});
