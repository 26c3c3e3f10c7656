import type { Env } from './plugins.ts'

/** Values of these variables, and passwords in URLs, must never be written anywhere. */
export function secretsOf(env: Env): string[] {
  return Object.entries(env).flatMap(([name, value = '']) => {
    if (/(TOKEN|KEY|SECRET|PASSWORD)$/.test(name)) return value === '' ? [] : [value]
    if (name === 'HEARTBEAT_URL' && URL.canParse(value)) return [value, pathOf(value)]
    return passwordsIn(value)
  })
}

/** A URL behind others' schemes, as in `journal:postgres://…`. */
const NESTED_URL = /^((?:[a-z][\w+.-]*:)*?)([a-z][\w+.-]*:\/\/.*)$/is

/** The passwords of a URL: as it was typed, as URLs are written, and decoded, since messages quote any of the three. */
function passwordsIn(value: string): string[] {
  const [, , address = ''] = NESTED_URL.exec(value.trim()) ?? []
  if (!URL.canParse(address)) return /:\/\/[^/@]*?:([^/]+)@/.exec(value)?.slice(1) ?? []
  const { password, searchParams } = new URL(address)
  const [, typed = ''] = /:\/\/[^/?#]*?:([^/?#]*)@/.exec(address) ?? []
  const found = [typed, password, decodedOrSame(password), searchParams.get('password') ?? '']
  return [...new Set(found)].filter((one) => one !== '')
}

function decodedOrSame(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** DATABASE_URL as everybody may read it. */
export function withoutPassword(database: string): string {
  const [, before = '', address = ''] = NESTED_URL.exec(database) ?? []
  if (!URL.canParse(address)) return database
  const url = new URL(address)
  if (url.password === '' && !url.searchParams.has('password')) return database
  url.password = ''
  url.searchParams.delete('password')
  return `${before}${url.href}`
}

/** The secret part of a URL is its path: an error message may quote the path alone. */
function pathOf(address: string): string {
  return new URL(address).pathname.replace(/^\/|\/$/g, '')
}
