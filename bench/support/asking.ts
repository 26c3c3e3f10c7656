import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** What comes back to one request, and how long that took. */
export interface Reply {
  ms: number
  body: string
}

/** Asks over so many connections that stay open, each the next when it has been answered. It costs little: what is measured is who answers. */
export async function askAll(
  port: number,
  connections: number,
  paths: readonly string[],
  heard: (reply: Reply) => void,
): Promise<void> {
  let next = 0
  const lane = async () => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    await once(socket, 'connect')
    const answers = bodies(socket)
    for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
      const began = performance.now()
      socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`)
      const { value: body } = await answers.next()
      if (body === undefined) throw new Error(`No answer to ${path}`)
      heard({ ms: performance.now() - began, body })
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: connections }, lane))
}

/** The bodies of good answers, which say how long they are. */
async function* bodies(socket: Socket): AsyncGenerator<string, undefined> {
  socket.setEncoding('latin1')
  let text = ''
  for await (const chunk of socket as AsyncIterable<string>) {
    text += chunk
    const head = text.indexOf('\r\n\r\n')
    if (head < 0) continue
    const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1])
    if (!text.startsWith('HTTP/1.1 200') || Number.isNaN(length))
      throw new Error(`Not what was asked for: ${text.slice(0, 200)}`)
    if (text.length < head + 4 + length) continue
    yield text.slice(head + 4)
    text = ''
  }
}
