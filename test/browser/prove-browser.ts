// Soak test: uploaded active content (HTML, SVG, scripts) never runs. A real Chromium opens the download links, alone
// and in frames of another site, also behind a proxy that drops Content-Disposition. No file may call back. As a
// control, the same bytes from a server without protective headers must call back.

import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from '../../clients/javascript/connect.ts'
import { openServed } from '../cli/served.ts'
import { operatorKey } from '../clients/javascript/keys.ts'
import { pause } from '../until.ts'
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

interface Active {
  /** The file name, which is also the name in the callback. */
  readonly name: string
  readonly contentType: string
  readonly content: string
  /**
   * Whether Chromium runs it from a server that sends no protective headers. Otherwise a missing callback proves
   * nothing.
   */
  readonly runsElsewhere: boolean
}

/** `call`: the callback URL; each file appends its name. */
export function activeContent(call: string): Active[] {
  const script = (name: string) => `new Image().src='${call}${name}';fetch('${call}${name}',{mode:'no-cors'})`
  const html = (name: string) =>
    `<!doctype html><title>x</title><script>${script(name)}</script>` +
    `<img src="${call}${name}"><style>body{background:url(${call}${name})}</style>` +
    `<iframe src="${call}${name}"></iframe><meta http-equiv="refresh" content="0;url=${call}${name}"><p>text`
  const svg = (name: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" onload="${script(name).replaceAll('"', '&quot;')}">` +
    `<script>${script(name)}</script><image href="${call}${name}" width="9" height="9"/></svg>`
  const xhtml = (name: string) =>
    `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title>` +
    `<script>${script(name)}</script></head><body onload="${script(name)}"><p>text</p></body></html>`
  const pdf = (name: string) =>
    `%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/URI/URI(${call}${name})>>/Pages 2 0 R>>endobj\n` +
    `2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n`
  const of = (name: string, contentType: string, make: (name: string) => string, runsElsewhere = true): Active => ({
    name,
    contentType,
    content: make(name),
    runsElsewhere,
  })
  return [
    of('page.html', 'text/html', html),
    of('charset.html', 'text/html; charset=utf-7', html),
    of('capitals.html', 'TEXT/HTML', html),
    of('picture.svg', 'image/svg+xml', svg),
    of('page.xhtml', 'application/xhtml+xml', xhtml),
    of('page.xml', 'text/xml', xhtml),
    of('style.xml', 'application/xml', svg),
    // Files whose bytes do not match their type.
    of('sniffed.txt', 'text/plain', html, false),
    of('sniffed.bin', 'application/octet-stream', html, false),
    of('sniffed.png', 'image/png', svg, false),
    of('polyglot.gif', 'image/gif', (name) => `GIF89a/*${'\0'.repeat(8)}*/=1;${script(name)}${html(name)}`, false),
    of('code.js', 'text/javascript', script, false),
    of('paper.pdf', 'application/pdf', pdf, false),
    of('archive.mhtml', 'multipart/related', (name) => `Content-Type: text/html\r\n\r\n${html(name)}`, false),
  ]
}
