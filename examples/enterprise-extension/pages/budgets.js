/**
 * The page of budgets in the console: a list, and a form for who may set them. People's texts become text nodes, never markup.
 *
 * @param {HTMLElement} element to fill
 * @param {{ orgId: string, fetch: (path: string, init?: RequestInit) => Promise<Response> }} page
 */
export function mount(element, page) {
  const path = `/api/organizations/${page.orgId}/acme-budgets`;
  const list = document.createElement('ul');
  const form = document.createElement('form');
  const department = field('Department', 'text');
  const limit = field('Limit in US dollars', 'number');
  const button = document.createElement('button');
  button.textContent = 'Set the budget';
  const said = document.createElement('p');
  said.setAttribute('role', 'status');
  form.append(department.label, limit.label, button, said);
  element.replaceChildren(list, form);

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const response = await page.fetch(`${path}/${encodeURIComponent(department.input.value)}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ limit_dollars: Number(limit.input.value), user_ids: [] }),
    });
    const body = await response.json();
    said.textContent = response.ok ? 'Saved.' : String(body.detail);
    if (response.ok) show(body);
  });

  /** @param {{ department: string, limit_dollars: number, spent_dollars: number }[]} budgets */
  function show(budgets) {
    list.replaceChildren(
      ...budgets.map(({ department: name, limit_dollars, spent_dollars }) => {
        const item = document.createElement('li');
        item.textContent = `${name}: $${spent_dollars} of $${limit_dollars}`;
        return item;
      }),
    );
  }

  void page.fetch(path).then(async (response) => show(response.ok ? await response.json() : []));
}

/** @param {string} name @param {string} type */
function field(name, type) {
  const label = document.createElement('label');
  const input = document.createElement('input');
  Object.assign(input, { type, required: true });
  label.append(name, input);
  return { label, input };
}
