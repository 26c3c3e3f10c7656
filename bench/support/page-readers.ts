import { createConnection, type Socket } from 'node:net'

// Browsers with an open page each, in a process of their own, so that what they cost is not ours. Arguments: the port, and
// their secrets, with commas. It takes a word and answers with what the browsers have read so far.

/** `open` ends when each stream has begun, `close` when each connection is closed. */
export type ReaderWord = 'open' | 'close' | 'read'
export interface HaveRead {
  glances: number
  bytes: number
}

const [, , port = '', secrets = ''] = process.argv
let open: Socket[] = []
let glances = 0
let bytes = 0

async function page(secret: string): Promise<void> {
  const socket = createConnection(Number(port), '127.0.0.1')
  open.push(socket)
  const host = `127.0.0.1:${port}`
  socket.write(`GET /page/events HTTP/1.1\r\nhost: ${host}\r\ncookie: perch=${secret}\r\n\r\n`)
  await new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      const text = chunk.toString('latin1')
      if (text.startsWith('HTTP/1.1 ') && !text.startsWith('HTTP/1.1 200')) reject(new Error(text))
      const seen = text.split('event: glance').length - 1
      glances += seen
      if (seen > 0) resolve()
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('a stream has ended')))
  })
}

const TOGETHER = 100

async function obey(word: ReaderWord): Promise<void> {
  if (word === 'open') {
    const all = secrets.split(',')
    for (let from = 0; from < all.length; from += TOGETHER)
      await Promise.all(all.slice(from, from + TOGETHER).map(page))
  }
  if (word === 'close') {
    const closed = open.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    for (const socket of open) socket.destroy()
    await Promise.all(closed)
    open = []
  }
  process.send?.({ glances, bytes } satisfies HaveRead)
}

process.on('message', (word: ReaderWord) => void obey(word))
process.on('disconnect', () => process.exit())
process.on('unhandledRejection', (error) => {
  process.stderr.write(`${String(error)}\n`)
  process.exit(1)
})
