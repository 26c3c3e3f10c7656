import type { ServerResponse } from 'node:http'

import { badRequest } from './refusal.ts'
import type { Args } from './request.ts'
import type { World } from './world.ts'

/** https://core.telegram.org/bots/api#getfile: at most 20 MB. */
const LARGEST_BYTES = 20 * 1024 * 1024

/** The path of a file that somebody has sent. */
export function getFile({ documents }: World, args: Args): unknown {
  const id = args.text('file_id')
  const file = documents.get(id)
  if (!file) throw badRequest('invalid file_id')
  if (file.content.length > LARGEST_BYTES) throw badRequest('file is too big')
  return {
    file_id: id,
    file_unique_id: `u${id}`,
    file_size: file.content.length,
    file_path: `documents/${id}`,
  }
}

/** Answers a download; false where the path is none. */
export function download(
  { documents }: World,
  token: string,
  path: string,
  response: ServerResponse,
): boolean {
  const [, given, id = ''] = /^\/file\/bot([^/]*)\/documents\/([^/]*)$/.exec(path) ?? []
  if (given === undefined) return false
  const file = given === token ? documents.get(id) : undefined
  response.writeHead(file ? 200 : 404, { 'content-type': 'application/octet-stream' })
  response.end(file?.content)
  return true
}
