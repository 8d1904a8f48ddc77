// Soak test: uploaded active content (HTML, SVG, scripts) never runs. A real Chromium opens the download links, alone
// and in frames of another site, also behind a proxy that drops Content-Disposition. No file may call back. As a
// control, the same bytes from a server without protective headers must call back.

import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from '../../clients/javascript/connect.ts'
import { openServed } from '../cli/served.ts'
import { operatorKey } from '../clients/javascript/keys.ts'
import { pause } from '../until.ts'
import { activeContent } from './active-content.ts'
import { type Chromium, chromiumHere, startChromium } from './chromium.ts'

export interface BrowserProof {
  readonly tried: string
  readonly faults: readonly string[]
}

const LISTEN = '127.0.0.1'

/** The callback server, and unprotected servers of the same bytes. */
interface Stranger {
  readonly call: string
  readonly calls: Set<string>
  readonly url: string
  /** Extra pages to serve. */
  readonly pages: Map<string, { readonly type: string; readonly body: string }>
  close(): void
}

export async function proveBrowser(tell: (line: string) => void): Promise<BrowserProof> {
  const binary = chromiumHere()
  if (binary === null) {
    return { tried: 'nothing', faults: ['there is no chromium here: apt-get install chromium, then run it again'] }
  }
  const stranger = await openStranger()
  const served = await openServed()
  const stripping = await openStripping(served.url)
  const chromium = await startChromium(binary)
  const faults: string[] = []
  let opened = 0
  try {
    const operator = await connect({ baseUrl: served.url, key: await operatorKey(served.dataDir) })
    const { game, key } = await operator.createGame('Active')
    const tenant = await connect({ baseUrl: served.url, key })
    const { id: bucket } = await tenant.createBucket(game.id, { name: 'Files' })
    for (const active of activeContent(stranger.call)) {
      const { name, contentType, content, runsElsewhere } = active
      tell(`${name}: ${opened} pages opened, ${faults.length} faults`)
      await tenant.uploadFile(bucket, `/${name}`, new Blob([content]), { contentType })
      const link = async () => (await tenant.download(bucket, `/${name}`)).url
      const shown = await opens(chromium, stranger, name, await link())
      opened++
      if (shown.called) faults.push(`${name} was run from its link`)
      if (shown.became !== 'downloaded') faults.push(`${name} was shown, and not downloaded`)
      // A frame in another site's page. Chromium does not report what the frame loads, so the page's own callback ends
      // the wait.
      for (const frame of framesOf(await link())) {
        stranger.pages.set('/frame', { type: 'text/html', body: `<!doctype html>${frame}` })
        if ((await opens(chromium, stranger, name, `${stranger.url}/frame`)).called) {
          faults.push(`${name} was run in ${frame.split(' ')[0]}>`)
        }
        opened++
      }
      const bare = (await link()).replace(served.url, stripping.url)
      if ((await opens(chromium, stranger, name, bare)).called) faults.push(`${name} was run where it was shown`)
      opened++
      // Control: without protective headers the same bytes call back.
      stranger.pages.set(`/careless/${name}`, { type: contentType, body: content })
      const careless = await opens(chromium, stranger, name, `${stranger.url}/careless/${name}`)
      opened++
      if (runsElsewhere && !careless.called) faults.push(`${name} calls nobody even where it is run: it proves nothing`)
    }
  } finally {
    await chromium.close()
    stripping.close()
    stranger.close()
    await served.close()
  }
  return { tried: `${opened} pages opened in Chromium, of ${activeContent('').length} kinds of active files`, faults }
}

const framesOf = (url: string): string[] => [
  `<iframe src="${url}"></iframe>`,
  `<object data="${url}"></object>`,
  `<embed src="${url}">`,
]

/** Opens a page, then one that always calls back. By then any callback of the first page has arrived. */
async function opens(chromium: Chromium, stranger: Stranger, name: string, url: string) {
  stranger.calls.clear()
  const page = await chromium.open(url)
  for (let times = 0; times < 2; times++) {
    stranger.calls.delete('control')
    const control = await chromium.open(`${stranger.url}/control`)
    for (let tries = 0; !stranger.calls.has('control'); tries++) {
      if (tries === 3_000) throw new Error('the control page called nobody')
      await pause(10)
    }
    await control.close()
  }
  await page.close()
  return { became: page.became, called: stranger.calls.has(name) }
}

async function openStranger(): Promise<Stranger> {
  const calls = new Set<string>()
  const pages = new Map<string, { readonly type: string; readonly body: string }>()
  const server = await listening((incoming, response) => {
    const path = incoming.url ?? '/'
    const page = pages.get(path)
    if (path.startsWith('/call/')) calls.add(decodeURIComponent(path.slice('/call/'.length)))
    response.writeHead(page === undefined && !path.startsWith('/call/') ? 404 : 200, {
      'Content-Type': page?.type ?? 'text/plain',
      'Cache-Control': 'no-store',
    })
    response.end(page?.body ?? '')
  })
  const url = urlOf(server)
  const call = `${url}/call/`
  pages.set('/control', { type: 'text/html', body: `<!doctype html><script>fetch('${call}control')</script>` })
  return { call, calls, url, pages, close: () => end(server) }
}

/** A proxy that drops Content-Disposition. */
async function openStripping(to: string): Promise<{ readonly url: string; close(): void }> {
  const server = await listening((incoming, response) => {
    request(to + incoming.url, { method: incoming.method ?? 'GET' }, (answer) => {
      const { 'content-disposition': _, ...headers } = answer.headers
      response.writeHead(answer.statusCode ?? 502, headers)
      answer.pipe(response)
    }).end()
  })
  return { url: urlOf(server), close: () => end(server) }
}

function listening(handle: (incoming: IncomingMessage, response: ServerResponse) => void): Promise<Server> {
  const server = createServer(handle)
  return new Promise((resolve) => server.listen(0, LISTEN, () => resolve(server)))
}

const urlOf = (server: Server): string => `http://${LISTEN}:${(server.address() as AddressInfo).port}`

function end(server: Server): void {
  server.close()
  server.closeAllConnections()
}
