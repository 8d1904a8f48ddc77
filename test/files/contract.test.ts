// The local file store passes the contract, through its HTTP routes.

import { filesChecks } from '../contracts/files.suite.ts'
import { testContract } from '../contracts/test-contract.ts'
import { NOW_MS } from '../http/pipeline-world.ts'
import { type FilesApi, openFilesApi } from './files-api.ts'

describe('Files in a folder', () => {
  const opened: FilesApi[] = []
  afterEach(async () => {
    for (const api of opened.splice(0)) await api.close()
  })

  testContract('keep the contract', filesChecks, async () => {
    const api = await openFilesApi()
    opened.push(api)
    const here = (url: string) => api.url + new URL(url).pathname
    const isOpen = { has: () => true, delete: () => true }
    Object.assign(api.open, isOpen)
    return {
      files: api.files,
      nowMs: NOW_MS,
      put: async ({ method, url, headers }, bytes) => (await fetch(here(url), { method, headers, body: bytes })).status,
      fetch: async (url) => {
        const answer = await fetch(here(url))
        return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
      },
    }
  })
})
