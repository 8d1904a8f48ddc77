// The limit of uploads: Node reads and discards the request's bytes. The port is set by the environment.

import { createServer } from 'node:http'

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => response.end('{}'))
})
server.listen(Number(process.env.PORT), '127.0.0.1')
