// A page that imports the packed client as its `exports` name it, and a static server of its folder.

import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'

/** A page that finds each entry point of the installed package, as its `exports` name it, and runs the program. */
export async function pageOf(folder: string): Promise<string> {
  const [client, sockets] = [
    '/node_modules/@scorebook/client',
    '/node_modules/socket.io-client/dist/socket.io.esm.min.js',
  ]
  const { exports } = JSON.parse(await readFile(join(folder, client, 'package.json'), 'utf8'))
  const imports: Record<string, string> = { 'socket.io-client': sockets }
  for (const [path, target] of Object.entries<{ readonly default?: string }>(exports))
    if (target.default !== undefined) imports[`@scorebook/client${path.slice(1)}`] = client + target.default.slice(1)
  const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`
  return `<!doctype html><title>Client</title>${map}<script type="module" src="/page.mjs"></script>`
}

/** `/` is index.html, everything else a script. */
export function serveFolder(folder: string): Promise<Server> {
  const files = createServer(async ({ url = '/' }, answer) => {
    const content = await readFile(join(folder, url === '/' ? 'index.html' : url)).catch(() => null)
    answer.setHeader('Content-Type', url === '/' ? 'text/html' : 'text/javascript')
    answer.writeHead(content === null ? 404 : 200).end(content)
  })
  return new Promise((resolve) => files.listen(0, '127.0.0.1', () => resolve(files)))
}
