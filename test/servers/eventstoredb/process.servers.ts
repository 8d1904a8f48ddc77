// The server as a process of its own, killed and started again over its data file.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { EventStoreDBClient } from '@eventstore/db-client'
import { expect } from 'chai'
import { events, newStream, revisions } from './under-test.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))

async function started(args: readonly string[]): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [url] = await once(createInterface({ input: child.stdout }), 'line')
  return { child, url: String(url) }
}

describe('eventstoredb test server: process', () => {
  it('prints its URL, keeps its log after kill -9, and ends on SIGTERM', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'eventstore-'))
    const data = join(folder, 'log')
    const first = await started(['--data', data])
    expect(first.url).to.match(/^esdb:\/\/127\.0\.0\.1:\d+\?tls=false$/)
    const port = new URL(first.url.replace('esdb:', 'http:')).port
    const client = EventStoreDBClient.connectionString(first.url)
    const stream = newStream()
    await client.appendToStream(stream, events(3))
    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    const second = await started(['--data', data, '--port', port])
    expect(second.url).to.equal(first.url)
    const again = EventStoreDBClient.connectionString(second.url)
    expect(await revisions(again.readStream(stream))).to.deep.equal([0, 1, 2])
    second.child.kill('SIGTERM')
    const [code] = await once(second.child, 'exit')
    expect(code).to.equal(0)
    rmSync(folder, { recursive: true })
  })
})
