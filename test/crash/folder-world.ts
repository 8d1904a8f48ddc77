// A server in this process on a data folder that holds everything, files included, with a clock that tests set. Other
// processes can copy the folder, and a later world can begin on a copy.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { type Running, start } from '../../server/start.ts'
import { BASE_CONFIG } from '../base-config.ts'
import { createHttpClient } from '../front-door/http-client.ts'
import { hmacSigner, type World } from '../front-door/world.ts'
import { createMemoryFiles } from '../memory/files.ts'
import { EMBEDDED } from '../servers/store-urls.ts'

export interface FolderWorld extends World {
  /** Its warnings and errors. */
  readonly lines: readonly string[]
  /** Stops the server and leaves the folder. */
  close(): Promise<void>
}

/**
 * `nowMs`: where its clock begins. The clock follows the time of the machine from there on, and `clock.nowMs` sets it.
 */
export async function openFolderWorld(dataDir: string, nowMs: number = Date.now()): Promise<FolderWorld> {
  let aheadMs = nowMs - Date.now()
  const clock = {
    get nowMs() {
      return Date.now() + aheadMs
    },
    set nowMs(to: number) {
      aheadMs = to - Date.now()
    },
  }
  const lines: string[] = []
  const collect = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const config = { ...BASE_CONFIG, dataDir, filesDir: join(dataDir, 'files') }
  const running: Running = await start(config, pino({ level: 'warn' }, collect), () => clock.nowMs)
  const port = Number(running.port)
  const client = createHttpClient(port)
  const { prefix, secret } = JSON.parse(await readFile(join(dataDir, 'operator.json'), 'utf8'))
  const end = async () => {
    client.close()
    await running.stop()
  }
  return {
    dataDir,
    storeUrls: EMBEDDED,
    clock,
    lines,
    port,
    files: createMemoryFiles(() => clock.nowMs),
    operator: hmacSigner(prefix, secret),
    call: (method, path, sent) => client.call(method, path, sent),
    end,
    restart: () => Promise.reject(new Error('Open another world on the folder')),
    close: end,
  }
}
