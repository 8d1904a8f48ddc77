// The local store signs the contract of files' bytes, through its door.

import { filesChecks } from '../contracts/files.ts'
import { sign } from '../contracts/sign.ts'
import { NOW_MS } from '../http/pipeline-world.ts'
import { type DoorWorld, openDoor } from './door-world.ts'

describe('Files in a folder', () => {
  const opened: DoorWorld[] = []
  afterEach(async () => {
    for (const door of opened.splice(0)) await door.close()
  })

  sign('keep the contract', filesChecks, async () => {
    const door = await openDoor()
    opened.push(door)
    const here = (url: string) => door.url + new URL(url).pathname
    const isOpen = { has: () => true, delete: () => true }
    Object.assign(door.open, isOpen)
    return {
      files: door.files,
      nowMs: NOW_MS,
      put: async ({ method, url, headers }, bytes) => (await fetch(here(url), { method, headers, body: bytes })).status,
      fetch: async (url) => {
        const answer = await fetch(here(url))
        return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
      },
    }
  })
})
