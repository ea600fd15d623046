/**
 * Values of Node's HTTP module. An `import` of it reads all that it exports, and with its WebSocket comes a
 * whole HTTP client, 14 MB that a server at rest does not need.
 */
export const { STATUS_CODES, validateHeaderValue } = process.getBuiltinModule('node:http')
