// The pages for browsers: the page at `/`, the console’s files below /console/, and the documents of OpenAPI and
// AsyncAPI.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { asyncApiRoute, openApiRoute, staticDocument } from '../../http/routes/static-documents.ts'
import { readStaticFiles } from '../../http/site/static-files.ts'
import { VERSION } from '../../runtime/version.ts'
import { consoleOrigins, openSite } from '../../server/serve.ts'
import { BASE_CONFIG } from '../base-config.ts'
import { call } from './pipeline-calls.ts'
import { createWorld, type World } from './pipeline-world.ts'

const PAGE = `<!doctype html><title>Console</title>${'<p>page</p>'.repeat(50)}`
const SCRIPT = 'export const answer = 42;\n'.repeat(100)

/** Too random to become smaller. */
const TINY = 'x'

interface Received {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly bytes: Buffer
}

const CONFIG = { ...BASE_CONFIG, console: true, publicUrl: 'https://play.example' }

/** Sends a request without decompressing the answer, as `fetch` would. */
function ask(world: World, method: string, path: string, headers: Record<string, string> = {}): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: world.port, method, path, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) })
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}

describe('the files of a build', () => {
  it('that disappear while a server reads them are reported as a running build', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'scorebook-site-'))
    for (let n = 0; n < 50; n++) await writeFile(join(folder, `${n}.txt`), TINY)
    const reading = readStaticFiles(folder).then(
      () => 'read',
      (error: Error) => error.message,
    )
    await rm(folder, { recursive: true })
    expect(await reading).to.equal(`${folder} changes: a build is running. Start again once it is done.`)
  })
})

describe('the pages for browsers', () => {
  let build: string
  let world: World
  const get = (path: string, headers: Record<string, string> = {}) => ask(world, 'GET', path, headers)
  before(async () => {
    build = await mkdtemp(join(tmpdir(), 'scorebook-site-'))
    await mkdir(join(build, 'console', 'assets'), { recursive: true })
    await writeFile(join(build, 'console', 'index.html'), PAGE)
    await writeFile(join(build, 'console', 'tiny.txt'), TINY)
    await writeFile(join(build, 'console', 'assets', 'index-B6zGnfYp.js'), SCRIPT)
    world = await createWorld({ site: await openSite(CONFIG, build) })
  })
  after(async () => {
    await world.close()
    await rm(build, { recursive: true })
  })

  it('tells a caller at an unknown path where all paths are described', async () => {
    const { status, bytes } = await get('/nothing', { Accept: '*/*' })
    expect(status).to.equal(404)
    const detail = 'There is nothing at this path. GET /api/openapi.json describes all paths.'
    expect(JSON.parse(bytes.toString())).to.include({ code: 'not_found', detail })
  })

  it('answers /console, /console/ and every deep link with the page of the console', async () => {
    for (const path of ['/console', '/console/', '/console/players/abc', '/console/lb/x/?at=now', '/console/a%20b']) {
      const { status, headers, bytes } = await get(path)
      expect([path, status, bytes.toString()]).to.deep.equal([path, 200, PAGE])
      expect(headers).to.include({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
    }
  })

  it('answers 404 for files that the console does not have, and for paths that only begin like it', async () => {
    const missing = [
      'assets/',
      'assets/none',
      'assets/index-B6zGnfYp.css',
      'none.js',
      'assets/../index.html',
      'a/b.png',
    ]
    for (const path of [
      ...missing.map((name) => `/console/${name}`),
      '/consoles/',
      '/console.js',
      '/Console/',
      '/console/%ff',
    ]) {
      const { status, headers } = await get(path)
      expect([path, status]).to.deep.equal([path, 404])
      expect(headers['content-type']).to.equal('application/problem+json')
    }
  })

  it('never leaves the folder of the console', async () => {
    for (const path of ['/console/%2e%2e/console/index.html', '/console/..%2fsecret.txt', '/console/%00.js']) {
      expect((await get(path)).status, path).to.equal(404)
    }
  })

  it('compresses a file for callers that accept gzip, and only where that makes it smaller', async () => {
    const script = '/console/assets/index-B6zGnfYp.js'
    const plain = await get(script)
    expect(plain.bytes.toString()).to.equal(SCRIPT)
    expect(plain.headers).to.not.have.property('content-encoding')
    const small = await get(script, { 'accept-encoding': 'br, gzip' })
    expect(small.headers).to.include({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
    expect(small.headers['content-length']).to.equal(String(small.bytes.length))
    expect(small.bytes.length).to.be.below(plain.bytes.length)
    expect(gunzipSync(small.bytes).toString()).to.equal(SCRIPT)
    expect(small.headers.etag).to.not.equal(plain.headers.etag)
    const refused = await get(script, { 'accept-encoding': 'gzip;q=0, identity' })
    expect(refused.bytes.toString()).to.equal(SCRIPT)
    expect((await get('/console/tiny.txt', { 'accept-encoding': 'gzip' })).bytes.toString()).to.equal(TINY)
  })

  it('lets files with a hash in their name be cached for ever, and answers 304 to a caller who has the page', async () => {
    const script = await get('/console/assets/index-B6zGnfYp.js')
    expect(script.headers['cache-control']).to.equal('public, max-age=31536000, immutable')
    const page = await get('/console/')
    const again = await get('/console/', { 'if-none-match': String(page.headers.etag) })
    expect([again.status, again.bytes.length, again.headers.etag]).to.deep.equal([304, 0, page.headers.etag])
  })

  it('answers HEAD with the headers of GET, and other methods with 405', async () => {
    for (const path of ['/console/', '/']) {
      const headers = { accept: 'text/html' }
      const [page, head] = [await get(path, headers), await ask(world, 'HEAD', path, headers)]
      const { date: _, ...expected } = page.headers
      expect(head.headers).to.deep.include(expected)
      expect([head.status, head.bytes.length]).to.deep.equal([200, 0])
      const posted = await ask(world, 'POST', path, headers)
      expect([posted.status, posted.headers.allow]).to.deep.equal([405, 'GET, HEAD'])
    }
  })

  it('allows the console to connect to this server, the rooms and the file store, and to nothing else', async () => {
    const config = {
      ...CONFIG,
      realtimeUrl: 'https://rooms.example:8443',
      s3Url: 'https://key:secret@store.example/games?style=host&links=https%3A%2F%2Ffiles.example',
    }
    const allowed = ['https://play.example', 'https://rooms.example:8443', 'wss://rooms.example:8443']
    expect(consoleOrigins(config)).to.deep.equal([...allowed, 'https://games.files.example'])
    const own = ['http://127.0.0.1:8080', 'http://127.0.0.1:8080', 'ws://127.0.0.1:8080']
    expect(consoleOrigins({ ...CONFIG, publicUrl: 'http://127.0.0.1:8080/' })).to.deep.equal(own)
    const { headers } = await get('/console/')
    expect(headers['content-security-policy']).to.equal(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
        "manifest-src 'self'; connect-src 'self' https://play.example wss://play.example; base-uri 'none'; " +
        "form-action 'none'; frame-ancestors 'none'",
    )
    expect(headers).to.include({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
  })

  it('answers / with a page to browsers, and with JSON to everybody else', async () => {
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    const page = await get('/', { accept: browser })
    expect(page.status).to.equal(200)
    expect(page.headers).to.include({ 'content-type': 'text/html; charset=utf-8', vary: 'Accept, Accept-Encoding' })
    const policy = String(page.headers['content-security-policy'])
    expect(policy).to.match(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; .*frame-ancestors 'none'$/)
    const html = page.bytes.toString()
    expect([...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).to.deep.equal([
      '/console/',
      '/docs/',
      '/docs/api/',
    ])
    expect(html).to.not.match(/<script|style="|\son\w+=|https?:\/\//)
    for (const accept of ['*/*', 'application/json', 'application/problem+json', 'text/plain', '']) {
      const { status, headers, bytes } = await get('/', { accept })
      expect([accept, status]).to.deep.equal([accept, 200])
      expect(headers).to.include({ 'content-type': 'application/json; charset=utf-8', vary: 'Accept, Accept-Encoding' })
      expect(JSON.parse(bytes.toString())).to.deep.equal({
        name: 'Scorebook',
        version: VERSION,
        console: '/console/',
        docs: '/docs/',
        openapi: '/api/openapi.json',
      })
    }
    expect((await ask(world, 'POST', '/')).status).to.equal(405)
  })

  it('has no console and no link to it with CONSOLE=off', async () => {
    const off = await createWorld({ site: await openSite({ ...CONFIG, console: false }, build) })
    try {
      for (const path of ['/console', '/console/', '/console/assets/index-B6zGnfYp.js', '/console/players/abc']) {
        expect((await ask(off, 'GET', path)).status, path).to.equal(404)
      }
      expect(JSON.parse((await ask(off, 'GET', '/')).bytes.toString())).to.include({ console: null, docs: '/docs/' })
      const html = (await ask(off, 'GET', '/', { accept: 'text/html' })).bytes.toString()
      expect([...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).to.deep.equal(['/docs/', '/docs/api/'])
    } finally {
      await off.close()
    }
  })

  it('says how to build the console where it is not built', async () => {
    const bare = await createWorld({ site: await openSite(CONFIG, join(build, 'none')) })
    try {
      const { status, headers, bytes } = await ask(bare, 'GET', '/console/')
      expect([status, headers['content-type']]).to.deep.equal([503, 'text/plain; charset=utf-8'])
      expect(bytes.toString()).to.equal('The console is not built. Run `npm run build`, then start the server again.\n')
    } finally {
      await bare.close()
    }
  })
})

describe('static documents', () => {
  let world: World
  let made = 0
  before(async () => {
    const rooms = {
      transient: null as never,
      store: null as never,
      countsNetworks: false,
      url: '',
      secret: null,
      document: () => ({ asyncapi: '3.0.0', made: ++made }),
    }
    const info = { version: '1', url: 'http://localhost' }
    world = await createWorld({ routes: [asyncApiRoute({ rooms }), openApiRoute([], info)] })
  })
  after(() => world.close())

  for (const path of ['/api/openapi.json', '/api/asyncapi.json']) {
    it(`answers ${path} with an ETag, and with 304 and no body to a caller who sends it`, async () => {
      const first = await call(`${world.url}${path}`)
      const etag = first.headers.get('etag') ?? ''
      expect(etag).to.match(/^"[\w-]{27}"$/)
      expect(first.headers.get('content-type')).to.equal('application/json; charset=utf-8')
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await call(`${world.url}${path}`, { headers: { 'if-none-match': known } })
        expect([again.status, again.text, again.headers.get('etag')]).to.deep.equal([304, '', etag])
        expect(again.headers.get('x-request-id')).to.be.a('string')
        expect(again.headers.get('cache-control')).to.equal('no-store')
        expect(again.headers.get('content-length')).to.equal(null)
      }
      const other = await call(`${world.url}${path}`, { headers: { 'if-none-match': '"other"' } })
      expect([other.status, other.text]).to.deep.equal([200, first.text])
    })
  }

  it('are built once, and share one buffer for all answers', async () => {
    expect(made).to.equal(1)
    const document = staticDocument(() => ({}))
    expect(document(null).body).to.equal(document(null).body)
  })
})
