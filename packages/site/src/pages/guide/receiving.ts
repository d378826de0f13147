import { operations } from '@lobbystats/contracts';
import { html } from '../../html.ts';
import { links } from '../../links.ts';
import type { GuideApi, Step } from './step.ts';

const { addChannel, listDeliveries, testChannel } = operations;

export function receiving({ url }: GuideApi): Step {
  const testUrl = url(testChannel, {}, { channel: 'my program' });
  return {
    id: 'receiving',
    heading: 'Receiving notifications',
    text: html`<p>
        A webhook receives a <code>POST</code> of JSON with <code>type</code>, <code>timestamp</code> and
        <code>data</code>, as <a href="https://www.standardwebhooks.com" rel="noopener">Standard Webhooks</a> describes.
        These programs receive at <code>127.0.0.1:8000</code>: put a proxy with TLS in front of them.
      </p>
      <ul class="bullets">
        <li>
          The first request has the type <code>challenge</code>: answer it with its <code>data</code> as JSON. Before
          that, nothing else is sent. <code>POST ${testChannel.path}</code> asks for another one, once you have the
          <code>secret</code> that only the answer of <code>POST ${addChannel.path}</code> shows.
        </li>
        <li>
          Verify <code>webhook-signature</code>: <code>v1,</code> and the HMAC-SHA256, in base64, of
          <code>webhook-id</code>, <code>webhook-timestamp</code> and the body, joined by points. The key is what
          follows <code>whsec_</code> in the secret, in base64. Refuse a timestamp of more than five minutes ago.
        </li>
        <li>
          A request may come again with the same <code>webhook-id</code>: ignore it then. Answer with 2xx within 10
          seconds. What fails is repeated for a day, as <code>GET ${listDeliveries.path}</code> shows.
        </li>
      </ul>`,
    code: {
      curl: `curl -s -X POST '${testUrl}' -H "X-Session-Key: $key"

# What you received: three headers, and the body.
mac=$(printf '%s' "\${secret#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
printf '%s' "$id.$timestamp.$body" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$mac" -binary | base64
# It has to equal the signature, without its v1, at the beginning.`,
      client: `// Ask for a test message at ${testUrl}
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { verifyWebhook } from '.${links.client}';

const secret = 'whsec_SECRET';
const seen = new Set();

createServer(async (request, response) => {
  try {
    const { type, data } = await verifyWebhook(secret, request.headers, await text(request));
    const id = request.headers['webhook-id'];
    if (type === 'notification' && !seen.has(id)) console.log(data.title);
    seen.add(id);
    response.end(type === 'challenge' ? JSON.stringify(data) : '');
  } catch (error) {
    response.writeHead(400).end(error.message);
  }
}).listen(8000, '127.0.0.1');`,
      fetch: `// Ask for a test message at ${testUrl}
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const key = Buffer.from('SECRET', 'base64'); // without whsec_
const seen = new Set();

function isSigned(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature = '' } = headers;
  const expected = createHmac('sha256', key).update(\`\${id}.\${time}.\${body}\`).digest();
  const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
  const isRecent = Math.abs(Date.now() / 1000 - Number(time)) < 300;
  return isRecent && given.length === expected.length && timingSafeEqual(given, expected);
}

createServer(async (request, response) => {
  const body = await text(request);
  if (!isSigned(request.headers, body)) return response.writeHead(400).end();
  const { type, data } = JSON.parse(body);
  const id = request.headers['webhook-id'];
  if (type === 'notification' && !seen.has(id)) console.log(data.title);
  seen.add(id);
  response.end(type === 'challenge' ? JSON.stringify(data) : '');
}).listen(8000, '127.0.0.1');`,
      python: `# Ask for a test message at ${testUrl}
import base64, hashlib, hmac, json, time
from http.server import BaseHTTPRequestHandler, HTTPServer

key = base64.b64decode("SECRET")  # without whsec_
seen = set()

def is_signed(headers, body):
    id, at = headers["webhook-id"] or "", headers["webhook-timestamp"] or "0"
    signed = hmac.new(key, f"{id}.{at}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(signed)
    is_recent = at.isdecimal() and abs(time.time() - float(at)) < 300
    return is_recent and hmac.compare_digest(expected, (headers["webhook-signature"] or "").encode())

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        is_ours = is_signed(self.headers, body)
        self.send_response(200 if is_ours else 400)
        self.end_headers()
        if not is_ours:
            return
        message = json.loads(body)
        if message["type"] == "challenge":
            self.wfile.write(json.dumps(message["data"]).encode())
        if message["type"] == "notification" and self.headers["webhook-id"] not in seen:
            print(message["data"]["title"], flush=True)
        seen.add(self.headers["webhook-id"])

HTTPServer(("127.0.0.1", 8000), Receiver).serve_forever()`,
    },
  };
}
