// `trace-calls.mjs` has Node load this file in every thread, before the program. It counts how often
// each function of the bundle is entered, and appends the counts to a file.
import { appendFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { Socket } from 'node:net';
import process from 'node:process';
import * as threads from 'node:worker_threads';

const { TRACED_BUNDLE, TRACE_FILE } = process.env;
const thread = threads.isMainThread ? 'main' : (threads.workerData?.role ?? 'other');
/** How many answers the program has written so far: counts from before and after one are kept apart. */
let answers = threads.getEnvironmentData('answers') ?? 0;
const answered = new threads.BroadcastChannel('answered');
answered.unref();

const session = new Session();
session.connect();
session.post('Profiler.enable');
// Without `detailed`, a function that goes on after an `await` or a `yield` would count again.
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** Appends the functions that were entered since the last flush, if any. */
function flush() {
  session.post('Profiler.takePreciseCoverage', (_, { result }) => {
    const entered = result
      .filter(({ url }) => url.startsWith(TRACED_BUNDLE))
      .flatMap(({ url, functions }) =>
        functions.map(({ functionName, ranges: [{ startOffset, count }] }) => ({
          // V8 also counts the body of a module and the initialising of a class's fields.
          count: startOffset === 0 || functionName.startsWith('<') ? 0 : count,
          place: `${url}:${startOffset}`,
        })),
      )
      .filter(({ count }) => count > 0)
      .map(({ place, count }) => JSON.stringify({ thread, answers, place, count }));
    if (entered.length > 0) appendFileSync(TRACE_FILE, `${entered.join('\n')}\n`);
  });
}

function setAnswers(count) {
  flush();
  answers = count;
}

setInterval(flush, 50).unref();
if (threads.isMainThread) {
  // Answers leave through a socket, be it a pipe or the daemon's; the log goes to stderr.
  const { write } = Socket.prototype;
  Socket.prototype.write = function (...args) {
    const hasRoom = write.apply(this, args);
    if (this !== process.stderr) {
      setAnswers(answers + 1);
      threads.setEnvironmentData('answers', answers);
      answered.postMessage(answers);
    }
    return hasRoom;
  };
} else answered.onmessage = ({ data }) => setAnswers(data);
