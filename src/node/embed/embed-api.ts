/** The ways in which a server with a model may be asked. Apart, because every start reads options. */
export const embedApis = ['openai', 'ollama'] as const;
export type EmbedApi = (typeof embedApis)[number];
