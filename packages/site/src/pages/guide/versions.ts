import { API_VERSION, operations } from '@lobbystats/contracts';
import { html } from '../../html.ts';
import { links } from '../../links.ts';
import type { GuideApi, Step } from './step.ts';

const { getApiVersion } = operations;

export function versions({ base, url }: GuideApi): Step {
  const version = url(getApiVersion);
  return {
    id: 'versions',
    heading: 'Changes of the API',
    text: html`<p>
      While <code>apiVersion</code> stays ${API_VERSION}, no operation or field is removed and none changes its meaning.
      Operations, optional parameters, fields, topics and values of enumerations may be added at any time: ignore those
      that you don’t know.
    </p>`,
    code: {
      curl: `curl -s '${version}'`,
      client: `import { createClient } from '.${links.client}';

const stats = createClient({ baseUrl: '${base}' });
const { apiVersion } = await stats.${getApiVersion.id}();
if (apiVersion !== ${JSON.stringify(API_VERSION)}) console.warn('The API has changed:', apiVersion);`,
      fetch: `const response = await fetch('${version}');
const { apiVersion } = await response.json();
if (apiVersion !== ${JSON.stringify(API_VERSION)}) console.warn('The API has changed:', apiVersion);`,
      python: `import json
from urllib.request import urlopen

with urlopen("${version}") as response:
    api_version = json.load(response)["apiVersion"]
if api_version != ${JSON.stringify(API_VERSION)}:
    print("The API has changed:", api_version)`,
    },
  };
}
