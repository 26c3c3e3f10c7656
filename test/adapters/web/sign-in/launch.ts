import { createHmac } from 'node:crypto'

/** The token of the documented example. */
export const BOT_TOKEN = '5768337691:AAH5YkoiEuPk8-FZa32hStHTqXiLPtAEhx8'

/** Launch data as Telegram signs them. */
export function signed(fields: Record<string, string>, token = BOT_TOKEN): string {
  const lines = Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .toSorted()
  const key = createHmac('sha256', 'WebAppData').update(token).digest()
  const hash = createHmac('sha256', key).update(lines.join('\n')).digest('hex')
  return new URLSearchParams({ ...fields, hash }).toString()
}
