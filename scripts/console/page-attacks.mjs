// What a page of somebody else can send to the console. Each function runs inside that page, so it may
// use nothing that is defined outside of it. It is given the addresses to attack, `{ method, url,
// body }`, tries all of them, and resolves to those of which it could read something.

/** `fetch`, with cookies and in every way in which a page may send a request without being asked. */
async function fetches(targets) {
  const json = { 'content-type': 'application/json' };
  const guess = { ...json, 'x-vaultdoor-console': 'A'.repeat(43) };
  const ways = [
    { what: 'fetch', init: {} },
    { what: 'fetch with a key', init: { headers: guess } },
    { what: 'fetch without an answer', init: { mode: 'no-cors' } },
    { what: 'fetch that hides where it is from', init: { referrerPolicy: 'no-referrer' } },
  ];
  const read = [];
  const tries = targets.flatMap(({ method, url, body }) =>
    ways.map(async ({ what, init }) => {
      // Without an answer, browsers send nothing but GET and POST.
      const isSimple = init.mode === undefined || method !== 'DELETE';
      const given = { credentials: 'include', method: isSimple ? method : 'POST', ...init };
      if (given.method === 'POST') given.body = body;
      const text = await fetch(url, given).then(
        (answer) => answer.text(),
        () => '',
      );
      if (text !== '') read.push(`${what} ${method} ${url}: ${text.slice(0, 200)}`);
    }),
  );
  await Promise.all(tries);
  return read;
}

/** Forms, which need no script: into a frame each, with a body that is JSON all the same. */
async function forms(targets) {
  const read = [];
  const changing = targets.filter(({ method }) => method !== 'GET');
  const sent = changing.map(({ url, body }, at) => {
    const frame = document.createElement('iframe');
    frame.name = `answer${at}`;
    const form = document.createElement('form');
    const enctype = at % 2 === 0 ? 'text/plain' : 'application/x-www-form-urlencoded';
    Object.assign(form, { method: 'POST', action: url, target: frame.name, enctype });
    const field = document.createElement('input');
    Object.assign(field, { name: `${body.slice(0, -1)},"more":"`, value: '"}' });
    form.append(field);
    document.body.append(frame, form);
    form.submit();
    return new Promise((resolve) => {
      const late = setTimeout(resolve, 4_000);
      frame.addEventListener('load', () => {
        clearTimeout(late);
        try {
          const text = frame.contentWindow.document.body.textContent;
          if (text !== '') read.push(`form ${url}: ${text}`);
        } catch {
          // It belongs to another origin, as it should.
        }
        resolve();
      });
    });
  });
  await Promise.all(sent);
  return read;
}

/**
 * What a page can load without `fetch`: pictures, scripts and frames of every address, and of some also
 * style sheets, objects and sounds, which are slow.
 */
async function elements(targets) {
  const read = [];
  // Frames become members with numbers.
  const members = () => Object.keys(globalThis).filter((name) => !/^\d+$/.test(name));
  const names = members().join();
  const gets = targets.filter(({ method }) => method === 'GET');
  const make = {
    img: (url) => Object.assign(new Image(), { src: url }),
    script: (url) => Object.assign(document.createElement('script'), { src: url }),
    link: (url) => Object.assign(document.createElement('link'), { rel: 'stylesheet', href: url }),
    object: (url) => Object.assign(document.createElement('object'), { data: url }),
    audio: (url) => Object.assign(new Audio(), { src: url }),
    iframe: (url) => Object.assign(document.createElement('iframe'), { src: url }),
  };
  const loaded = Object.entries(make).flatMap(([name, element]) =>
    gets.slice(0, ['img', 'script', 'iframe'].includes(name) ? gets.length : 3).map(
      ({ url }) =>
        new Promise((resolve) => {
          const made = element(url);
          const late = setTimeout(resolve, 3_000);
          const done = (isLoaded) => {
            clearTimeout(late);
            // A frame is loaded also with the browser's own page that says that it is refused.
            let text = '';
            try {
              text = name === 'iframe' ? made.contentDocument.body.textContent : '';
            } catch {
              text = '';
            }
            if (text !== '' || (isLoaded && name !== 'iframe')) read.push(`<${name}> ${url}`);
            resolve();
          };
          made.addEventListener('load', () => done(true));
          made.addEventListener('loadedmetadata', () => done(true));
          made.addEventListener('error', () => done(false));
          document.body.append(made);
        }),
    ),
  );
  await Promise.all(loaded);
  if (members().join() !== names) read.push('a script ran');
  return read;
}

/**
 * Streams and sockets, beacons, and a redirect of the page's own server. Chromium opens sockets one
 * after the other, so there are only some.
 */
async function others(targets) {
  const read = [];
  const sent = targets.flatMap(({ method, url, body }, at) => [
    new Promise((resolve) => {
      if (at % 8 !== 3) return resolve();
      const socket = new WebSocket(url.replace('http', 'ws'));
      socket.addEventListener('open', () => read.push(`socket ${url}`));
      socket.addEventListener('close', resolve);
    }),
    new Promise((resolve) => {
      if (method !== 'GET') return resolve();
      const source = new EventSource(url, { withCredentials: true });
      source.addEventListener('open', () => read.push(`event source ${url}`));
      source.addEventListener('error', () => {
        source.close();
        resolve();
      });
    }),
    (async () => {
      if (method === 'GET') return;
      navigator.sendBeacon(url, new Blob([body]));
      const lead = `/lead?to=${encodeURIComponent(url)}`;
      const init = { method: 'POST', mode: 'no-cors', credentials: 'include', body };
      const answer = await fetch(lead, init).catch(() => undefined);
      const text = (await answer?.text()) ?? '';
      if (text !== '') read.push(`redirect ${url}: ${text}`);
    })(),
  ]);
  await Promise.all(sent);
  return read;
}

/** A frame without an origin, which the page itself has made. */
function sandboxed(targets) {
  return new Promise((resolve) => {
    const frame = document.createElement('iframe');
    frame.sandbox = 'allow-scripts allow-forms';
    frame.srcdoc = `<script>
      const targets = ${JSON.stringify(targets)};
      const tries = targets.map(async ({ method, url, body }) => {
        const init = method === 'GET' ? {} : { method, body };
        const answer = await fetch(url, { credentials: 'include', ...init }).catch(() => undefined);
        return answer === undefined ? [] : [url + ': ' + (await answer.text())];
      });
      Promise.all(tries).then((read) => parent.postMessage(read.flat(), '*'));
    </script>`;
    addEventListener('message', ({ data }) => resolve(data));
    document.body.append(frame);
  });
}

/** All of them by name. */
export const pageAttacks = { fetches, forms, elements, others, sandboxed };
