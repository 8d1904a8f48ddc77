// The limit of uploads: Node taking a request's bytes and doing nothing with them. The port comes by environment.

import { createServer } from 'node:http'

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => response.end('{}'))
})
server.listen(Number(process.env.PORT), '127.0.0.1')
