// A service behind a TCP proxy. Tickets and file links contain the service's public address, which must be known before
// the service listens; the proxy has it first.

import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dialTcp } from 'node:net'
import { type Env, openService, type Service } from './service.ts'

/** `settings`: as of `openService`. */
export async function openProxiedService(settings: Env = {}): Promise<Service> {
  let service: Service | null = null
  const proxy = createServer((caller) => {
    const server = dialTcp(Number(new URL(service?.url ?? '').port), '127.0.0.1')
    caller.pipe(server).pipe(caller)
    for (const one of [caller, server]) one.on('error', () => {})
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  service = await openService({ ...settings, REALTIME_URL: url, PUBLIC_URL: url })
  const { close } = service
  return {
    ...service,
    close: async () => {
      await close()
      proxy.close()
    },
  }
}
