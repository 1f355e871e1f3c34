import {
  isSpecType,
  type JSONRPCResponse,
  type JSONRPCResultResponse,
  type RequestId,
} from '@modelcontextprotocol/server';

/** The only thing that clients are asked is to let the user decide; this says that nobody did. */
export function noDecision(id: RequestId): JSONRPCResultResponse {
  return { jsonrpc: '2.0', id, result: { action: 'cancel' } };
}

/** The answer if it is a decision: a client that cannot ask its user has no user who agreed. */
export function decisionIn(answer: JSONRPCResponse, id: RequestId): JSONRPCResponse {
  const isDecision = 'result' in answer && isSpecType.ElicitResult(answer.result);
  return isDecision ? answer : noDecision(id);
}
