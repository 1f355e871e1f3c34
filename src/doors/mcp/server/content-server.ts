import { Server } from '@modelcontextprotocol/server';

type Wrap = Server['_wrapHandler'];

/**
 * The SDK's server, which lets the content of a tool's result through as it is. The SDK would refuse
 * the whole result because of an item whose type it does not know, and drop fields it does not know.
 */
export class ContentServer extends Server {
  protected override _wrapHandler(...[method, handler]: Parameters<Wrap>): ReturnType<Wrap> {
    if (method !== 'tools/call') return super._wrapHandler(method, handler);
    return async (request, context) => {
      let content: unknown;
      const checked = super._wrapHandler(method, async (...asked) => {
        const result = await handler(...asked);
        if (!Array.isArray(result['content'])) return result;
        content = result['content'];
        return { ...result, content: [] };
      });
      const result = await checked(request, context);
      return content === undefined ? result : { ...result, content };
    };
  }
}
