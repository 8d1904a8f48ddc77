// llms.txt: the pages of the site with their first sentences, for language models.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** `sidebar`: parts with items. `source`: the folder of the pages. */
export function writeLlms({ title, about, sidebar, source, out }) {
  const parts = sidebar
    .filter(({ text }) => text !== 'Decisions')
    .map(({ text, items }) => `## ${text}\n\n${items.map((item) => line(item, source)).join('\n')}\n`)
  writeFileSync(join(out, 'llms.txt'), [`# ${title}\n`, `> ${about}\n`, ...parts].join('\n'))
}

function line({ text, link }, source) {
  const path = link.endsWith('/') ? `${link}index` : link
  const page = readFileSync(join(source, `${path}.md`), 'utf8')
  const prose = page.split('\n\n').find((block) => /^[A-Z`][^|]*$/.test(block)) ?? ''
  const sentence = prose.replaceAll('\n', ' ').replaceAll('**', '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  const [first = ''] = /^.*?\.(?= |$)/.exec(sentence) ?? []
  return `- [${text}](${path}.html)${first === '' ? '' : `: ${first}`}`
}
