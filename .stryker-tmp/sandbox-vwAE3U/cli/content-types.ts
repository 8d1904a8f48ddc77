// Content types by file name extension, for the kinds of files that games store. Others are application/octet-stream.

const TYPES: Readonly<Record<string, string>> = {
  bmp: 'image/bmp',
  css: 'text/css',
  csv: 'text/csv',
  gif: 'image/gif',
  glb: 'model/gltf-binary',
  gltf: 'model/gltf+json',
  gz: 'application/gzip',
  htm: 'text/html',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ogg: 'audio/ogg',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
  xml: 'application/xml',
  zip: 'application/zip',
}

export function typeOf(path: string): string {
  const [, extension = ''] = /\.([A-Za-z0-9]+)$/.exec(path) ?? []
  const known = extension.toLowerCase()
  return Object.hasOwn(TYPES, known) ? (TYPES[known] ?? '') : 'application/octet-stream'
}
