// GETs within a request: an answer that holds the answers of others gets them where these come from, so that they cannot differ.
import { requireAdmission, requireLevel } from './admission.ts'
import { Ctx, type Inner, type InnerAnswer } from '../work/ctx.ts'
import { AppError } from '../base/errors.ts'
import { etagOf } from './etag.ts'
import { Reply } from './route.ts'
import { answerTo, isCached, type CompiledRoute } from './run-route.ts'
import type { Viewer } from '../base/viewer.ts'

/** Of these routes, those without parameters in their path. */
export function innerGets(routes: readonly CompiledRoute[]): Inner {
  const byPath = new Map(routes.filter(({ route }) => route.method === 'GET').map((each) => [each.route.path, each]))
  const routeOf = (path: string): CompiledRoute => {
    const compiled = byPath.get(path)
    if (!compiled) throw new Error(`there is no GET ${path}`)
    return compiled
  }
  const mayAsk = (ctx: Ctx, path: string) => refusal(() => admitted(ctx, routeOf(path))) === undefined
  return {
    mayAsk,
    async get(ctx, path, { query = '', marks = true } = {}) {
      const compiled = routeOf(path)
      if (!mayAsk(ctx, path)) return undefined
      const inner = new Ctx(ctx.node, callerOf(ctx, compiled) as Viewer, {
        requestId: ctx.requestId,
        log: ctx.log,
        address: ctx.address,
        ...(ctx.head && { head: ctx.head }),
        // A GET whose answer stays in memory notes nothing anyway.
        readOnly: ctx.readOnly || (!marks && !compiled.sources),
        cached: isCached(compiled),
      })
      try {
        return ready(await answerTo(compiled, inner, { rawParams: [], query }), path)
      } catch (error) {
        if (error instanceof AppError && error.status < 500) return undefined
        throw error
      }
    },
  }
}

const callerOf = ({ viewer }: Ctx, { route }: CompiledRoute): Viewer | undefined => (route.access === 'none' ? undefined : viewer)

function admitted(ctx: Ctx, compiled: CompiledRoute): void {
  const caller = callerOf(ctx, compiled)
  requireAdmission(ctx.node, compiled.admission, caller)
  requireLevel(ctx.node, compiled.route, caller)
}

function refusal(check: () => void): AppError | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

function ready(answer: unknown, path: string): InnerAnswer {
  if (!(answer instanceof Reply)) {
    const json = JSON.stringify(answer)
    return { etag: etagOf(json), json }
  }
  const { status, body, headers } = answer as Reply<unknown>
  if (status !== 200 || (typeof body !== 'string' && !Buffer.isBuffer(body)))
    throw new Error(`GET ${path} has no answer that another can hold`)
  return { etag: headers['ETag'] ?? etagOf(body), json: body }
}
