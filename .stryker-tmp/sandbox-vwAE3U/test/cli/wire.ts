// A service whose tickets lead to its rooms, and whose links lead to its files: they name an address that must be known before the
// service is there, so it is that of a wire to the service.

import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dialTcp } from 'node:net'
import { openService, type Service } from './service.ts'

export async function openWiredService(): Promise<Service> {
  let service: Service | null = null
  const wire = createServer((caller) => {
    const server = dialTcp(Number(new URL(service?.url ?? '').port), '127.0.0.1')
    caller.pipe(server).pipe(caller)
    for (const one of [caller, server]) one.on('error', () => {})
  }).listen(0, '127.0.0.1')
  await once(wire, 'listening')
  const { port } = wire.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  service = await openService({ REALTIME_URL: url, PUBLIC_URL: url })
  const { close } = service
  return {
    ...service,
    close: async () => {
      await close()
      wire.close()
    },
  }
}
