// The admin port of a process if another program has it.

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect } from 'chai'
import { pino } from 'pino'
import { start } from '../../server/start.ts'
import { BASE_CONFIG } from '../base-config.ts'
import { newFolder } from '../cli/service.ts'

describe('an admin port that is taken', () => {
  it('is replaced by a free one if it may move, and is an error otherwise', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port: adminPort } = other.address() as AddressInfo
    const config = { ...BASE_CONFIG, dataDir: await newFolder(), adminPort }
    const log = pino({ level: 'silent' })
    const refused = await start({ ...config, adminPortMayMove: false }, log).catch((failure: unknown) => failure)
    expect(refused).to.include({ code: 'EADDRINUSE', port: adminPort })
    const running = await start({ ...config, adminPortMayMove: true }, log)
    expect(running.adminPort).not.to.equal(adminPort)
    const answer = await fetch(`http://127.0.0.1:${running.adminPort}/health/live`)
    expect(answer.status).to.equal(200)
    await running.stop()
    other.close()
  })
})
