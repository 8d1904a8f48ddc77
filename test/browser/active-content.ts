// Files with active content. Each calls back if a browser runs or displays it.

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
