/** An event of a stream of server-sent events, by the HTML standard (section 9.2.6): the fields that Perch uses. */
export interface StreamEvent {
  event: string
  data: string
}

/** Reads such a stream, however it is cut into pieces. */
export function createEventReader(): (piece: string) => StreamEvent[] {
  let rest = ''
  return (piece) => {
    const blocks = `${rest}${piece}`.replaceAll('\r\n', '\n').split('\n\n')
    rest = blocks.pop() ?? ''
    return blocks.flatMap((block) => {
      const fields = block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line)?.slice(1) ?? [])
      const data = fields.filter(([name]) => name === 'data').map(([, value = '']) => value)
      const event = fields.find(([name]) => name === 'event')?.[1] ?? 'message'
      // A comment alone says that the other side lives.
      return data.length === 0 ? [] : [{ event, data: data.join('\n') }]
    })
  }
}
