/** A plain page with the pictures of the home page, and their files: the floor for its largest paint. */
import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

const [port, dataFolder = '', cards = '[]'] = process.argv.slice(2)
type Card = { title: string; src: string; srcSet: string; sizes: string }

const STYLE =
  'main{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(280px,100%),1fr));gap:24px 16px;padding:80px 24px 0 256px}' +
  'img{width:100%;height:auto;aspect-ratio:16/9;object-fit:cover}@media(max-width:767px){main{padding:80px 16px}}'
const articles = (JSON.parse(cards) as Card[]).map(
  ({ title, src, srcSet, sizes }) =>
    `<article><img sizes="${sizes}" srcset="${srcSet}" src="${src}" alt="" width="640" height="360"><p>${title}</p></article>`,
)
const page = `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>pictures</title><style>${STYLE}</style><main>${articles.join('')}</main>`

createServer((request, response) => {
  if (!request.url?.startsWith('/media/')) {
    response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    return
  }
  const path = join(dataFolder, request.url)
  const type = path.endsWith('.webp') ? 'image/webp' : 'image/jpeg'
  response.writeHead(200, { 'content-type': type, 'content-length': statSync(path).size })
  createReadStream(path).pipe(response)
}).listen(Number(port), '127.0.0.1')
