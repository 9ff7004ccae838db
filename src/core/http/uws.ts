// uWebSockets.js is a binary per Node version. Without one its package falls back, silently, to a slow
// and incomplete JavaScript version.
import uws from 'uWebSockets.js'
import { ConfigError } from '../base/config.ts'

/** @throws ConfigError when the native server is not the one that was loaded. */
export function requireNativeUws(): void {
  if (/\[native code\]/.test(Function.prototype.toString.call(uws.us_listen_socket_close))) return
  throw new ConfigError(
    `uWebSockets.js has no binary for Node ${process.version} on ${process.platform}-${process.arch}. Use Node 20, or install the official build: npm install uWebSockets.js@github:uNetworking/uWebSockets.js#v20.51.0`,
  )
}
