// Writes THIRD-PARTY-NOTICES: each production dependency with its version, license and license text, read from node_modules.
// Fails for a package without a license text, or with a license that is not in ALLOWED.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const ALLOWED = new Set(['MIT', 'MIT-0', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Unlicense', 'BlueOak-1.0.0'])
const TEXT = /^(licen[cs]e|copying|unlicense|notice)(\.|-|$)/i
/** Copyright holders of packages that ship no license text, by name, or by how a name begins. */
const HOLDERS = Object.entries(JSON.parse(readFileSync(join(ROOT, 'tools/licenses-without-text.json'), 'utf8')))
const holderOf = (name) => HOLDERS.find(([one]) => one === name || (/[/-]$/.test(one) && name.startsWith(one)))?.[1]

/** Production packages of the lockfile that are installed here. Those of other platforms are not. */
export function productionPackages(root = ROOT) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(packages)
    .filter(([path, { dev, devOptional, link }]) => path.startsWith('node_modules/') && !dev && !devOptional && !link)
    .flatMap(([path, locked]) => {
      try {
        return [{ folder: join(root, path), ...JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) }]
      } catch (error) {
        if (locked.optional === true && error.code === 'ENOENT') return []
        throw error
      }
    })
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1))
}

/** The notice of a package; throws with what to do if it may not be shipped. */
export function noticeOf(one) {
  const { name, version, folder } = one
  const license = one.license?.type ?? one.license ?? one.licenses?.[0]?.type ?? ''
  const parts = license.replace(/[()]/g, '').split(/ (?:OR|AND) /)
  const title = `${name} ${version}`
  if (!parts.every((part) => ALLOWED.has(part))) throw new Error(`${title}: license "${license}": add it to ALLOWED or replace it`)
  const texts = readdirSync(folder)
    .filter((file) => TEXT.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  if (texts.length === 0) texts.push(textWithout(title, name, license))
  return [title, `License: ${license}`, '', ...texts].join('\n')
}

function textWithout(title, name, license) {
  const holder = holderOf(name)
  if (holder === undefined) throw new Error(`${title}: no license text: name its holder in tools/licenses-without-text.json`)
  const copyright = `Copyright (c) ${holder}`
  if (license === 'MIT') return `${copyright}\n\n${MIT}`
  if (license === 'Apache-2.0') return `${copyright}\n\nThe text of the license is in LICENSE.`
  throw new Error(`${title}: no license text, and no known one for ${license}`)
}

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software
is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES
OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR
IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const line = `\n\n${'='.repeat(80)}\n\n`
  const all = productionPackages().map(noticeOf)
  const head = 'Scorebook is shipped with these packages, each under its own license.'
  writeFileSync(join(ROOT, 'THIRD-PARTY-NOTICES'), [head, ...all].join(line) + '\n')
  process.stdout.write(`THIRD-PARTY-NOTICES: ${all.length} packages\n`)
}
