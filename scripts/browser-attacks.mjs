// The requests that a web page can send to a server on the visitor's machine. Each function runs
// inside the page, so it may use nothing that is defined outside the function. It resolves to what
// the page could read, or rejects with the reason why the page could read nothing.

/** Each attack asks a server to carry out `body`, or reads what a GET of `url` answers. */
export const attacks = {
  'fetch of a list': async ({ url }) => (await fetch(url)).text(),

  'fetch of JSON': async ({ url, body }) => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(url, { method: 'POST', headers, body })).text();
  },

  'fetch of plain text, which asks nobody first': async ({ url, body }) =>
    (await fetch(url, { method: 'POST', body })).text(),

  'fetch without an answer': async ({ url, body }) =>
    (await fetch(url, { method: 'POST', mode: 'no-cors', body })).text(),

  'fetch without an answer, declared as JSON': async ({ url, body }) => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(url, { method: 'POST', mode: 'no-cors', headers, body })).text();
  },

  'fetch without an answer or a type': async ({ url, body }) => {
    const bare = new Blob([body]);
    return (await fetch(url, { method: 'POST', mode: 'no-cors', body: bare })).text();
  },

  'fetch that hides where it comes from': async ({ url, body }) => {
    const hidden = { mode: 'no-cors', referrerPolicy: 'no-referrer' };
    return (await fetch(url, { method: 'POST', ...hidden, body: new Blob([body]) })).text();
  },

  'fetch of its own server, which leads on': async ({ url, body }) => {
    const away = `/lead?to=${encodeURIComponent(url)}`;
    return (await fetch(away, { method: 'POST', mode: 'no-cors', body: new Blob([body]) })).text();
  },

  'fetch of a frame without an origin': ({ url, body }) =>
    new Promise((resolve, reject) => {
      const frame = document.createElement('iframe');
      frame.sandbox = 'allow-scripts';
      const [to, sent] = [JSON.stringify(url), `new Blob([${JSON.stringify(body)}])`];
      frame.srcdoc = `<script>fetch(${to}, { method: 'POST', mode: 'no-cors', body: ${sent} })
        .then((answer) => answer.text())
        .then((text) => parent.postMessage(text, '*'), () => parent.postMessage('', '*'))</script>`;
      addEventListener('message', ({ data }) => {
        if (data === '') reject(new Error('nothing'));
        else resolve(data);
      });
      document.body.append(frame);
    }),

  'a form': ({ url, body, enctype = 'text/plain' }) =>
    new Promise((resolve, reject) => {
      const frame = document.createElement('iframe');
      frame.name = 'answer';
      const form = document.createElement('form');
      Object.assign(form, { method: 'POST', action: url, target: 'answer', enctype });
      const field = document.createElement('input');
      // A form puts an equals sign between name and value. Here the sign ends up inside a JSON
      // string.
      Object.assign(field, { name: `${body.slice(0, -1)},"more":"`, value: '"}' });
      form.append(field);
      document.body.append(frame, form);
      frame.onload = () => {
        try {
          resolve(frame.contentWindow.document.body.textContent);
        } catch (error) {
          reject(error);
        }
      };
      form.submit();
    }),

  'a beacon': async ({ url, body }) => {
    if (!navigator.sendBeacon(url, body)) throw new Error('was not sent');
    return '';
  },

  'a beacon without a type': async ({ url, body }) => {
    if (!navigator.sendBeacon(url, new Blob([body]))) throw new Error('was not sent');
    return '';
  },

  'an event source': ({ url }) =>
    new Promise((resolve, reject) => {
      const source = new EventSource(url);
      source.addEventListener('tools', ({ data }) => {
        source.close();
        resolve(data);
      });
      source.onerror = () => {
        source.close();
        reject(new Error('nothing'));
      };
    }),

  'a socket': ({ url }) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(url.replace('http', 'ws'));
      socket.onopen = () => resolve('open');
      socket.onerror = () => reject(new Error('nothing'));
    }),

  'an image': ({ url }) =>
    new Promise((resolve, reject) => {
      const image = new Image();
      image.onload = () => resolve(`${image.width}`);
      image.onerror = () => reject(new Error('nothing'));
      image.src = url;
    }),

  'a script': ({ url }) =>
    new Promise((resolve, reject) => {
      const script = document.createElement('script');
      const names = Object.keys(globalThis).join();
      const seen = () => {
        if (Object.keys(globalThis).join() === names) reject(new Error('nothing'));
        else resolve('it ran');
      };
      Object.assign(script, { src: url, onload: seen, onerror: seen });
      document.body.append(script);
    }),

  'a frame': ({ url }) =>
    new Promise((resolve, reject) => {
      const frame = document.createElement('iframe');
      frame.src = url;
      frame.onload = () => {
        try {
          resolve(frame.contentWindow.document.body.textContent);
        } catch (error) {
          reject(error);
        }
      };
      document.body.append(frame);
    }),
};

/**
 * What each attack achieves against a server that allows every page. `reads`: the page reads an
 * answer. `writes`: it writes a note, and perhaps reads the answer. `nothing`: it achieves nothing
 * even there, because its content type is not JSON or because the browser hides the answer.
 */
export const whereOpen = {
  'fetch of a list': 'reads',
  'fetch of JSON': 'writes',
  'fetch of plain text, which asks nobody first': 'reads', // It reads why the request was refused.
  'fetch without an answer': 'nothing',
  'fetch without an answer, declared as JSON': 'nothing',
  'fetch without an answer or a type': 'writes',
  'fetch that hides where it comes from': 'writes',
  'fetch of its own server, which leads on': 'writes',
  'fetch of a frame without an origin': 'writes',
  'a form': 'nothing',
  'a beacon': 'nothing',
  'a beacon without a type': 'writes',
  'an event source': 'reads',
  'a socket': 'nothing',
  'an image': 'nothing',
  'a script': 'nothing',
  'a frame': 'nothing',
};

/** `looks`: attacks that can only read. `unsigned`: those for which browsers send no `Origin`. */
export const unsigned = ['an image', 'a script', 'a frame'];
export const looks = ['fetch of a list', ...unsigned];
