// Which origins may be allowed, and what a refusal advises.

import { expect } from 'chai'
import { originFault } from '../../domain/origin.ts'

const write = (correct: string) => `must be an origin as browsers send it: write ${correct}`
const WILDCARD = 'must not contain *: wildcards match no page, so name each origin'
const PORT_ZERO = 'must not have port 0, which no page has: give the port of the page'
const OTHER =
  'must be an origin as browsers send it, such as https://play.example.com: scheme, host, port if not the usual one'

const ACCEPTED = [
  ...[
    'https://play.example.com',
    'http://localhost:5173',
    'http://127.0.0.1',
    'http://[::1]:8080',
    'https://a.example.',
  ],
  ...['https://xn--bcher-kva.example', 'https://a_b.example:65535', 'http://h:443', 'https://h:80'],
  ...['capacitor://localhost', 'tauri://localhost', 'app://.', 'ionic://localhost:8100', 'chrome-extension://abcdef'],
  ...['x+y.z-1://a.b-c', 'null'],
]

const REFUSED: readonly (readonly [string, string])[] = [
  ['https://*.itch.zone', WILDCARD],
  ['https://exa*mple.com', WILDCARD],
  ['*', WILDCARD],
  ['http://localhost:*', WILDCARD],
  ['app://*', WILDCARD],
  ['http://localhost:0', PORT_ZERO],
  ['https://a.example:000/x', PORT_ZERO],
  ['app://a:0', PORT_ZERO],
  ['https://a.example/', write('https://a.example')],
  ['https://a.example/game?x=1#y', write('https://a.example')],
  ['HTTPS://Play.Example.com', write('https://play.example.com')],
  ['https://a.example:443', write('https://a.example')],
  ['http://a.example:80', write('http://a.example')],
  ['http://a.example:08080', write('http://a.example:8080')],
  ['https://user:pw@a.example', write('https://a.example')],
  ['https://bücher.example', write('https://xn--bcher-kva.example')],
  ['http://127.1:3000', write('http://127.0.0.1:3000')],
  ['http://[0:0::1]', write('http://[::1]')],
  [' https://a.example\n', write('https://a.example')],
  ['play.example.com', write('https://play.example.com')],
  ['//play.example.com/x', write('https://play.example.com')],
  ['localhost:5173', write('http://localhost:5173')],
  ['127.0.0.1', write('http://127.0.0.1')],
  ['Capacitor://Localhost/', write('capacitor://localhost')],
  ['app://./index.html', write('app://.')],
  ['NULL', write('null')],
  ['file:///home/index.html', write('null')],
  ['file://host', write('null')],
  ['', OTHER],
  ['https://', OTHER],
  ['app://', OTHER],
  ['app://[::1]', OTHER],
  ['app://a_b', OTHER],
  ['app://a:65536', OTHER],
  ['app://a:080', OTHER],
  ['http://a.example:65536', OTHER],
  ['http://a b.example', OTHER],
  ['1app://a', OTHER],
  ['ws://host:80', OTHER],
  [`https://${'a'.repeat(250)}`, 'must be at most 255 characters'],
]

describe('an origin to be allowed', () => {
  for (const text of ACCEPTED) it(`may be ${text}`, () => expect(originFault(text)).to.equal(null))
  for (const [text, fault] of REFUSED) {
    it(`is refused with advice: ${JSON.stringify(text.slice(0, 40))}`, () => expect(originFault(text)).to.equal(fault))
  }
})
