// A headless Chromium, controlled over its debugging pipe. Reports downloads that begin and pages that finish loading.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']
/** Flags that disable all background requests. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--remote-debugging-pipe',
]
const COMMAND_TIMEOUT_MS = 30_000

export interface Chromium {
  /** Opens a page and keeps it open. */
  open(url: string): Promise<Opened>
  close(): Promise<void>
}

export interface Opened {
  readonly became: 'shown' | 'downloaded'
  close(): Promise<void>
}

/** The path of a Chromium binary; null if none is installed. */
export function chromiumHere(path = process.env.PATH ?? ''): string | null {
  const places = path.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return places.find(isThere) ?? null
}

function isThere(path: string): boolean {
  try {
    accessSync(path)
    return true
  } catch {
    return false
  }
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly sessionId?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly message: string }
}

export async function startChromium(binary: string): Promise<Chromium> {
  const profile = await mkdtemp(join(tmpdir(), 'scorebook-chromium-'))
  const flags = [...FLAGS, `--user-data-dir=${profile}`, 'about:blank']
  const child = spawn(binary, flags, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  const [, , , requests, answers] = child.stdio as unknown as [null, null, null, Writable, Readable]
  const waiting = new Map<number, (message: Message) => void>()
  const listeners = new Set<(message: Message) => void>()
  let last = 0
  let rest = ''
  answers.setEncoding('utf8')
  answers.on('data', (text: string) => {
    const parts = (rest + text).split('\0')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const message = JSON.parse(part) as Message
      if (message.id === undefined) for (const listen of listeners) listen(message)
      else waiting.get(message.id)?.(message)
    }
  })
  requests.on('error', () => {})

  const ask = (method: string, params: object = {}, sessionId?: string) => {
    const id = ++last
    requests.write(`${JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`)
    return within(
      method,
      new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
        waiting.set(id, ({ result = {}, error }) => {
          waiting.delete(id)
          if (error === undefined) resolve(result)
          else reject(new Error(`${method}: ${error.message}`))
        })
      }),
    )
  }

  await ask('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: true })
  return {
    async open(url) {
      const { targetId } = await ask('Target.createTarget', { url: 'about:blank' })
      const { sessionId } = await ask('Target.attachToTarget', { targetId, flatten: true })
      const session = String(sessionId)
      await ask('Page.enable', {}, session)
      let listen: (message: Message) => void = () => {}
      const became = new Promise<'shown' | 'downloaded'>((resolve) => {
        listen = ({ method, sessionId: of }) => {
          if (method === 'Browser.downloadWillBegin') resolve('downloaded')
          if (method === 'Page.loadEventFired' && of === session) resolve('shown')
        }
        listeners.add(listen)
      })
      try {
        // Chromium reports a navigation that becomes a download as aborted.
        await ask('Page.navigate', { url }, session)
        const close = () => ask('Target.closeTarget', { targetId }).then(() => {})
        return { became: await within(url, became), close }
      } finally {
        listeners.delete(listen)
      }
    },
    async close() {
      child.kill()
      await ended
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function within<T>(what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Chromium did nothing about ${what}`)), COMMAND_TIMEOUT_MS)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
