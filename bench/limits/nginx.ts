// The limit of downloads: nginx sends files from the page cache with sendfile, with one process and no log.

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../test/free-port.ts'
import { freshFolder } from '../support/fresh-server.ts'
import { type Server, startProgram } from '../support/processes.ts'

/** Serves a file for each size in `sizes`, at `/<size>`. Rejects if nginx is not installed. */
export async function startNginx(sizes: readonly number[]): Promise<Server> {
  const folder = await freshFolder()
  const files = join(folder, 'files')
  await mkdir(files)
  for (const size of sizes) await writeFile(join(files, String(size)), Buffer.alloc(size, 'any bytes do'))
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  await writeFile(file, configured(folder, files, port))
  const args = ['-c', file, '-p', folder, '-e', join(folder, 'error.log')]
  const { pid, stop } = await startProgram('nginx', args, {}, { port, path: `/${sizes[0]}` })
  const removed = () => rm(folder, { recursive: true })
  return { port, adminPort: 0, pid, stop: () => stop().then(removed) }
}

function configured(folder: string, files: string, port: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
    daemon off;
    master_process off;
    pid ${folder}/pid;
    events { worker_connections 256; }
    http {
      access_log off;
      sendfile on;
      tcp_nopush on;
      keepalive_requests 1000000;
      ${temporary.map((one) => `${one}_temp_path ${folder}/${one};`).join('\n')}
      server { listen 127.0.0.1:${port}; root ${files}; }
    }`
}
