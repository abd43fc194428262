import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server as HttpServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openClickHouse } from '../../../src/engine/ask-clickhouse/link.js';
import type { Progress } from '../../../src/engine/ask-clickhouse/progress.js';
import { CONNECTIONS, PASSWORD } from './servers.js';
import { faultOf } from './thrown.js';

describe('what is no server of ClickHouse', () => {
  const opened: HttpServer[] = [];
  afterAll(() => {
    for (const server of opened) server.close();
  });

  /** Asks a server that answers so. */
  async function answering(answer: Parameters<typeof createServer>[1], onProgress?: (at: Progress) => void) {
    const server = createServer(answer!);
    opened.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const env = { CAPFIT_CLICKHOUSE_URL: `http://127.0.0.1:${port}` };
    return faultOf(() => openClickHouse({ table: 't', ...CONNECTIONS, env, ...(onProgress && { onProgress }) }));
  }

  it('a page, an empty answer, an error of a proxy', async () => {
    const page = await answering((_, response) => response.end('<html>It works</html>'));
    expect(page.message).toMatch(/^what answers at 127\.0\.0\.1:\d+ is no ClickHouse over HTTP$/);
    const empty = await answering((_, response) => response.end());
    expect(empty.message).toMatch(/no ClickHouse over HTTP/);
    const proxy = await answering((_, response) => response.writeHead(502).end('<html>Bad gateway</html>'));
    expect(proxy.message).toMatch(/127\.0\.0\.1/);
  });

  it('an answer that is cut off, called whole or not', async () => {
    const half = '{\n\t"meta":\n\t[\n\t],\n\n\t"data":\n\t[\n\t\t[1],\n';
    const cut = await answering((_, response) => response.end(half));
    expect(cut.message).toMatch(/broke before the answer was whole/);
    const broken = await answering((_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write(half);
      response.socket!.destroySoon();
    });
    expect(broken.message).toMatch(/broke before the answer was whole/);
    const told = await answering((_, response) =>
      response.end(`${half}Code: 241. DB::Exception: Memory limit (for query) exceeded`),
    );
    expect(told.message).toMatch(/not enough memory/);
    const fewer = await answering((_, response) =>
      response.end(`${half.replace('],\n', ']\n')}\t],\n\n\t"rows": 2\n}\n`),
    );
    expect(fewer.message).toMatch(/broke before the answer was whole/);
    const inside = await answering((_, response) =>
      response.end(
        `${half.replace('],\n', ']\n')}\t],\n\n\t"rows": 1,\n\n\t"exception": "Code: 394. DB::Exception: Query was cancelled"\n}\n`,
      ),
    );
    expect(inside.message).toMatch(/killed/);
  });

  it('silence is waited for a little longer than the server may take, and so it is told', async () => {
    const server = createServer(() => undefined);
    opened.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const env = { CAPFIT_CLICKHOUSE_URL: `http://127.0.0.1:${port}` };
    const started = performance.now();
    const { message } = await faultOf(() => openClickHouse({ table: 't', ...CONNECTIONS, env, maxSeconds: 1 }));
    expect(message).toBe(`ClickHouse at 127.0.0.1:${port} did not answer within 4 s`);
    expect(performance.now() - started).toBeLessThan(6000);
    server.closeAllConnections();
  }, 20_000);

  it('servers that can are told to end what nobody listens to; a user who may set nothing sends no setting', async () => {
    const asked: string[] = [];
    await answering((request, response) => {
      asked.push(request.url!);
      response.writeHead(500).end('Code: 164. DB::Exception: Cannot modify setting in readonly mode');
    });
    expect(asked[0]).toContain('cancel_http_readonly_queries_on_client_close=1');
    expect(asked[0]).toContain('readonly=2');
    expect(asked.at(-1)).not.toMatch(/readonly|max_execution_time/);
  });

  it('progress is told while the head of an answer grows', async () => {
    const seen: Progress[] = [];
    await answering(
      (_, response) => {
        const socket = response.socket!;
        socket.write(
          'HTTP/1.1 200 OK\r\nX-ClickHouse-Progress: {"read_rows":"10","total_rows_to_read":"40"}\r\nX-ClickHou',
        );
        globalThis.setTimeout(() => {
          expect(seen).toEqual([{ readRows: 10, totalRows: 40 }]);
          socket.end(
            'se-Progress: {"read_rows":"20","total_rows":"0"}\r\nConnection: close\r\n\r\nX-ClickHouse-Progress: {}\r\n',
          );
        }, 100);
      },
      (at) => seen.push(at),
    );
    expect(seen).toEqual([{ readRows: 10, totalRows: 40 }, { readRows: 20 }]);
  });
});

/** A certificate that nobody has signed, where there is a program that makes one. */
function certificate(folder: string): { key: Buffer; cert: Buffer; path: string } | null {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  try {
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, ...subject],
      {
        stdio: 'ignore',
      },
    );
    return { key: readFileSync(key), cert: readFileSync(cert), path: cert };
  } catch {
    return null;
  }
}

describe('TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'capfit-tls-'));
  const made = certificate(folder);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.skipIf(made === null)('is trusted where its authority is named (skipped without openssl)', async () => {
    const server = createSecureServer(made!, (_, response) => response.end('<html>secure</html>'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as { port: number };
      const env = { CAPFIT_CLICKHOUSE_URL: `https://127.0.0.1:${port}`, CLICKHOUSE_PASSWORD: PASSWORD };
      const untrusted = await faultOf(() => openClickHouse({ table: 't', ...CONNECTIONS, env }));
      expect(untrusted.message).toContain(`no trusted TLS connection to ClickHouse at 127.0.0.1:${port}`);
      expect(untrusted.hint).toContain('CLICKHOUSE_CA_CERT');
      const trusted = await faultOf(() =>
        openClickHouse({ table: 't', ...CONNECTIONS, env: { ...env, CLICKHOUSE_CA_CERT: made!.path } }),
      );
      expect(trusted.message).toContain('no ClickHouse over HTTP');
      const plain = { ...env, CAPFIT_CLICKHOUSE_URL: `http://127.0.0.1:${port}` };
      expect((await faultOf(() => openClickHouse({ table: 't', ...CONNECTIONS, env: plain }))).message).toContain(
        '127.0.0.1',
      );
    } finally {
      server.close();
    }
  });

  it('needs TLS at the other end, and a certificate that can be read', async () => {
    const server = createServer((_, response) => response.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as { port: number };
      const env = { CAPFIT_CLICKHOUSE_URL: `https://127.0.0.1:${port}` };
      expect((await faultOf(() => openClickHouse({ table: 't', ...CONNECTIONS, env }))).message).toContain(
        'no trusted TLS connection',
      );
      const missing = { ...env, CLICKHOUSE_CA_CERT: join(folder, 'none.pem') };
      expect((await faultOf(() => openClickHouse({ table: 't', ...CONNECTIONS, env: missing }))).message).toContain(
        'ENOENT',
      );
    } finally {
      server.close();
    }
  });
});
