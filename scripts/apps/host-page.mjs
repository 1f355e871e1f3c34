// The page of an MCP client that shows views, with the host side of the official library. It runs in a
// browser; `test-apps.mjs` bundles it and drives it through `globalThis.host`.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  AppBridge,
  getToolUiResourceUri,
  PostMessageTransport,
  RESOURCE_MIME_TYPE,
} from '@modelcontextprotocol/ext-apps/app-bridge';

const info = { name: 'test-host', version: '1.0.0' };
const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: [RESOURCE_MIME_TYPE] } };
/** What views have sent: the methods of their messages, and the calls of tools. */
const sent = { methods: [], calls: [], links: [], sizes: [] };
let client;
let bridge;

globalThis.addEventListener('message', ({ data }) => {
  if (data?.method === undefined) return;
  sent.methods.push(data.method);
  if (data.method === 'tools/call') sent.calls.push(data.params);
});

globalThis.host = {
  sent: () => sent,

  /** Connects to the server as a client that shows views. */
  async connect(headers = {}) {
    client = new Client(info, { capabilities: { extensions } });
    const url = new URL('/mcp', location.href);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  },

  list: () => client.listTools(),
  read: (uri) => client.readResource({ uri }),
  call: (name, args) => client.callTool({ name, arguments: args }),

  /** Calls a tool as a model would, and shows its view. */
  async show(name, args, { theme = 'light', sandbox, can = { serverTools: {}, openLinks: {} } }) {
    const { tools } = await client.listTools();
    const tool = tools.find((each) => each.name === name);
    const { contents } = await client.readResource({ uri: getToolUiResourceUri(tool) });
    const [page] = contents;
    if (page.mimeType !== RESOURCE_MIME_TYPE) throw new Error(page.mimeType);
    const result = await client.callTool({ name, arguments: args });
    await bridge?.close();
    const frame = document.createElement('iframe');
    frame.title = name;
    frame.sandbox = 'allow-scripts allow-same-origin';
    frame.src = sandbox;
    document.body.replaceChildren(frame);
    const hostContext = { theme, toolInfo: { tool }, displayMode: 'inline' };
    bridge = new AppBridge(client, info, can, { hostContext });
    const isShown = new Promise((resolve) => {
      bridge.oninitialized = resolve;
    });
    bridge.onsandboxready = () => {
      const { csp, permissions } = page._meta?.ui ?? {};
      bridge.sendSandboxResourceReady({ html: page.text, csp, permissions });
    };
    bridge.onsizechange = (size) => {
      sent.sizes.push(size);
      frame.style.height = `${size.height}px`;
    };
    bridge.onopenlink = async ({ url }) => {
      sent.links.push(url);
      return {};
    };
    const { contentWindow } = frame;
    await bridge.connect(new PostMessageTransport(contentWindow, contentWindow));
    await isShown;
    await bridge.sendToolInput({ arguments: args });
    await bridge.sendToolResult(result);
    return result;
  },

  setTheme: (theme) => bridge.sendHostContextChange({ theme }),
  teardown: () => bridge.teardownResource({}),
};
