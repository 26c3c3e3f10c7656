import type { Telegram } from './telegram.ts'

/** What a test reads of an answer: whatever it asks for is there, or the test fails. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any

export interface Reply {
  status: number
  headers: Headers
  /** `result` of the answer. */
  result: Json
  /** `description` of a refusal, else ''. */
  refused: string
  body: Json
}

/** Calls a method with Node's fetch, parameters as JSON, and returns whatever the server says. */
export async function call(
  telegram: Pick<Telegram, 'root' | 'token'>,
  method: string,
  parameters: Record<string, unknown> = {},
  signal?: AbortSignal,
): Promise<Reply> {
  const response = await fetch(`${telegram.root}/bot${telegram.token}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(parameters),
    ...(signal ? { signal } : {}),
  })
  return await readReply(response)
}

export async function readReply(response: Response): Promise<Reply> {
  const body: Json = await response.json()
  const { status, headers } = response
  return { status, headers, body, result: body.result, refused: body.description ?? '' }
}
